"""Names of authors as citations write them, and the words that look like one and are none."""

import re

_UPPER = "A-ZÀ-ÖØ-ÞĀ-Ž"
_LOWER = r"[^\W\d_A-Z]"
_PARTICLE = r"(?:[VvDd][aeio]n?|[Dd]e[lrn]|della|[Dd]os|[DdZz]u|[Ll][ae]|[Ee]l|al|bin|ibn|te[rn]|zur)"
_WORD = (
    rf"(?:[OD]['’]|Mc|Mac|D[eiu]|L[ae]|Van|Fitz|al-)?[{_UPPER}]{_LOWER}{{1,24}}+(?:['’]{_LOWER}{{2,12}}+)?"
    rf"(?:[-‐–][{_UPPER}]{_LOWER}{{1,24}}+){{0,2}}+"
)
_INITIALS = rf"[{_UPPER}]\.(?:[ -]?[{_UPPER}]\.){{0,2}}"
# Repeats are possessive where the names of several could be divided in more than one way.
_SURNAME = rf"(?:{_INITIALS}\s?)?+(?:{_PARTICLE}\s){{0,3}}{_WORD}(?:,?\s{_INITIALS}(?![{_UPPER}]))?+"
_ET_AL = r",?\s(?:et\.?\sal\b\.?|and\scolleagues|and\sothers)"
_AND = r",?\s(?:&|&amp;|and|und|et|y)\s"
_UNIT = rf"{_SURNAME}(?:\s{_WORD})?"
NAMES = rf"{_UNIT}(?:(?:{_AND}|,\s){_UNIT}){{0,8}}(?:{_ET_AL})?"
"""One author or several. Two words may be one author of several; of one alone, see `find_surname`."""
_SEVERAL = re.compile(rf"{_ET_AL}|{_AND}")
_ANY = re.compile(_ET_AL)
_ONE = re.compile(rf"(?:.*,\s)?({_SURNAME})(?:['’]s?)?")
OPENING = frozenset(
    "in as see by from following per while although both like unlike when since also however and but whereas for after "
    "to of on with because if though thus hence therefore moreover furthermore finally here then later recently "
    "previously similarly likewise conversely citing cite using extending consult reference according both what".split()
)
"""Words that begin a sentence before a name."""
_ORGANISED = re.compile(
    # Examples: `World Health Organization`, `National Institute for Standards`.
    r"""
    (?:World|International|National|European|United|American|British|Federal|Royal)\s(?:\w{1,20}\s){0,5}
    (?:Organi[sz]ation|Institutes?|Commission|Agency|Association|Council|Nations|Bank|Union|Fund|Academy|Academies
    |Society|Office|Bureau|Department)(?:\s(?:of|for|on)(?:\s\w{1,20}){1,5})?
    """,
    re.VERBOSE,
)
_ACRONYMS = frozenset(
    "WHO OECD IPCC UNESCO UNICEF FAO CDC NIH NHS NICE NIST IMF ILO IEA UNDP UNEP WMO FDA EMA ENISA APA AMA AAP NASA "
    "NOAA USDA EPA".split()
)
_WORDS = re.compile(rf"[{_UPPER}][\w'’-]*")

_NOT_NAMES = frozenset(
    # Months, days, seasons, parts of the year, and what stands before a year in a date.
    "January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul "
    "Aug Sep Sept Oct Nov Dec Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun "
    "Spring Summer Autumn Fall Winter Easter Christmas Today Yesterday Tomorrow Year Years Day Week Month Quarter "
    "Early Late Mid Circa About Around Approximately "
    # What introduces a date or version.
    "Since Until Before After From In On By To At As Of For During Between Through Throughout Till Starting "
    "Beginning Ending Effective Valid Expires Expired Due Dated Date Published Publication Released Release "
    "Releases Updated Update Revised Revision Version Versions Edition Created Modified Changed Added Removed "
    "Deprecated Introduced Founded Established Launched Announced Accessed Retrieved Reviewed Verified Checked "
    "Tested Approved Adopted Accepted Final Draft Drafts Proposed Planned Scheduled Expected Originally Formerly "
    "Previously Currently Current Now Then New Old Latest Last Next First Second Third Fourth Copyright Copyrighted "
    "Copr License Licence Licensed Patent Trademark "
    # Parts of documents, and other labels.
    "Figure Figures Fig Figs Table Tables Section Sections Sec Chapter Chapters Chap Appendix Part Parts Page Pages "
    "Volume Vol Number No Issue Issues Note Notes Step Steps Line Lines Item Items Level Phase Stage Option Options "
    "Example Examples Equation Eq Listing Algorithm Theorem Lemma Definition Proposition Corollary Article Articles "
    "Rule Rules Act Bill Law Directive Regulation Clause Amendment Annex Schedule Standard Standards Specification "
    "Spec Protocol Proposal Report Reports Paper Papers Book Books Blog Post Posts Video Talk Talks Slides Course "
    "Module Lesson Unit Test Tests Case Cases Study Studies Survey Review Reviews Guide Guides Manual Handbook "
    "Tutorial Document Documents Documentation Docs Reference References Source Sources Data Dataset Error Errors "
    "Code Codes Status Port Ports Class Type Types Model Models Series Season Episode Round Event Events Conference "
    "Workshop Symposium Summit Meeting Proceedings Session Sprint Milestone Roadmap Deadline Budget Fiscal Total "
    "Sum Count Size Limit Max Maximum Min Minimum Default Average Median Value Values Key Keys Name Names Index "
    "File Files Folder User Users Group Groups Team Teams Project Projects Product Products Service Services System "
    "Systems Server Servers Client Clients Network Cloud Platform Framework Library Language Languages Compiler "
    "Kernel Driver Device Devices Process Thread Threads Memory Storage Database Databases Query Queries Request "
    "Requests Response Responses Method Methods Function Functions Feature Features Support Security Privacy Policy "
    "Policies Terms Award Awards Prize Medal Winner Population Census Election Elections War Wars Revolution Crisis "
    "Treaty Agreement Convention Declaration Constitution Olympics Cup Games Championship World Global "
    "International National Regional Annual Monthly Weekly Daily Quarterly Public Private Open Free Other Others "
    "All Any Some Most Many Few Each Every Both Only Also Not See Using Used Use The This That These Those There "
    "Here It Its We Our You Your They Their He She His Her When Where Which Who What Why How While With Without "
    "Within And Or But If So Such Than Because Although However Therefore Thus Hence Warning Important Caution Tip "
    "Info Bug Fix Fixed Closes Closed Resolved Ticket Commit Commits Branch Tag Merge Pull Push Build Builds "
    "Nightly Stable Beta Alpha Preview Candidate Snapshot Unreleased Breaking Change Changes Changelog History "
    "Legacy Modern Classic Professional Enterprise Community Ultimate Premium Basic Pro Plus Express Core Base Main "
    "Internal External Press Media News Journal Magazine Newspaper Transactions Letters Film Movie Album Song Novel "
    # Places where things are held.
    "Amsterdam Athens Atlanta Auckland Austin Bangalore Bangkok Barcelona Beijing Belgrade Berkeley Berlin Boston "
    "Brussels Bucharest Budapest Cambridge Canada Chicago China Cleveland Copenhagen Dallas Denver Detroit Dublin "
    "Edinburgh Europe Finland Florence France Geneva Germany Glasgow Hamburg Helsinki Hong Kong Honolulu Houston "
    "India Istanbul Italy Japan Kyoto Kyiv Lisbon London Luxembourg Lyon Madrid Manchester Melbourne Miami Milan "
    "Minneapolis Montreal Moscow Mumbai Munich Nairobi Netherlands Oslo Oxford Paris Philadelphia Pittsburgh "
    "Portland Porto Prague Rome Rotterdam Russia Seattle Seoul Shanghai Singapore Spain Stockholm Sweden "
    "Switzerland Sydney Taipei Tallinn Tokyo Toronto Toulouse Turin Vancouver Venice Vienna Vilnius Warsaw Zagreb "
    "Zurich America Africa Asia Australia Denmark Austria Belgium Greece Hungary Turkey Iceland Argentina Chile "
    "Croatia Estonia Latvia Lithuania Romania Slovenia Slovakia Malaysia Indonesia Vietnam Thailand Taiwan Egypt "
    "Kenya Nigeria Crete Cyprus Malta Hawaii Florida Vegas Orleans York Francisco Angeles Diego Barbara Jose "
    "Valencia Seville Bordeaux Nice Lille Leipzig Dresden Cologne Frankfurt Stuttgart Utrecht Leuven Ghent Bergen "
    "Gothenburg Uppsala Krakow Sofia Riga Salzburg Lausanne Basel Brazil England Britain Ireland Israel Korea "
    "Mexico Norway Poland Portugal Scotland Ukraine Wales California Texas "
    # Products, programs, companies and formats that carry years.
    "Windows Office Excel Word Outlook Access Visual Studio Exchange Python Java Rust Ruby Perl Swift Kotlin Scala "
    "Haskell Erlang Elixir Clojure Fortran Pascal Cobol Ada Lisp Scheme Julia Matlab Mathematica Maple Octave Node "
    "Deno Bun Angular React Vue Svelte Django Flask Rails Laravel Docker Kubernetes Helm Terraform Ansible Puppet "
    "Chef Vagrant Linux Unix Ubuntu Debian Fedora Arch Gentoo Mint Alpine Android Chrome Chromium Firefox "
    "Safari Edge Opera Explorer Netscape Mozilla Apple Google Microsoft Amazon Meta Facebook Twitter Netflix Oracle "
    "Intel Nvidia Samsung Adobe Autodesk Photoshop Acrobat Unity Unreal Blender Gnome Plasma Wayland Vulkan Metal "
    "Git Mercurial Subversion Bitbucket Gitlab Github Postgres Redis Mongo Cassandra Kafka Spark Hadoop Hive Flink "
    "Storm Beam Airflow Numpy Pandas Scipy Keras Theano Caffe Torch Unicode Internet Web Ethernet Bluetooth "
    "Wikipedia Bitcoin Ethereum Solidity Emacs Vim Atom Sublime Eclipse Maven Gradle Ant Bazel Buck Zig Nim Crystal "
    "Dart Flutter Cordova Ionic Electron Tauri Meteor Ember Backbone Prometheus Grafana Jaeger Envoy Istio Linkerd "
    "Consul Vault Nomad Boundary Addison-Wesley Addison Wesley Springer Elsevier Prentice Prentice-Hall Apress "
    "Packt Kluwer Birkhäuser Routledge Medium Wired Science Nature Guardian Times Reuters Bloomberg Forbes Atlantic "
    "Economist Verge Vox Slate Salon Image Corona Covid Ebola Zika Brexit Heartbleed Meltdown Spectre Shellshock "
    "Stuxnet Log".split()
)


def is_several(names: str) -> bool:
    """Whether more than one author is named."""
    return _SEVERAL.search(names) is not None


def find_surname(names: str) -> int | None:
    """Where the name of one author begins: `Windows Server` is none, and of `In Java, Smith` the last word is."""
    match = _ONE.fullmatch(names)
    return None if match is None else match.start(1)


def are_names(words: str) -> bool:
    """Whether the words can be authors: `et al.` shows it; else not all of them are words that stand before years."""
    if _ANY.search(words):
        return True
    found = [word.strip("'’-").removesuffix("'s").removesuffix("’s") for word in _WORDS.findall(words)]
    if is_several(words):
        return not all(word in _NOT_NAMES for word in found)
    return bool(found) and not any(word in _NOT_NAMES for word in found)


def is_organisation(words: str) -> bool:
    """Whether the words are an organisation that publishes as an author."""
    return words in _ACRONYMS or _ORGANISED.fullmatch(words) is not None
