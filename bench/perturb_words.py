"""Words that the perturbations know. They are their own: what a judge knows must not decide what it is asked."""

from __future__ import annotations

MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SMALL = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
).split()
"""Spelled numbers from 2 on."""
TENS = "thirty forty fifty sixty seventy eighty ninety".split()

# What stands in one group measures the same; from the smaller to the larger.
UNITS = tuple(
    tuple(group.split())
    for group in (
        "seconds minutes hours days weeks months years decades centuries",
        "second minute hour day week month year decade century",
        "inches feet yards metres kilometres miles",
        "inches feet yards meters kilometers miles",
        "cm m km",
        "mm cm m",
        "grams ounces pounds kilograms tonnes",
        "mg g kg",
        "kilobytes megabytes gigabytes terabytes",
        "KB MB GB TB",
        "thousand million billion trillion",
        "watts kilowatts megawatts gigawatts",
        "kW MW GW",
        "acres hectares",
        "litres gallons barrels",
        "yen dollars euros pounds",
        "°F °C",
        "degrees radians",
        "volts kilovolts",
        "km/h mph",
    )
)

OPPOSITES = dict(
    pair.split("/")
    for pair in (
        "more/less less/more fewer/more higher/lower lower/higher larger/smaller smaller/larger bigger/smaller "
        "greater/smaller longer/shorter shorter/longer older/younger younger/older newer/older earlier/later "
        "later/earlier faster/slower slower/faster better/worse worse/better stronger/weaker weaker/stronger "
        "heavier/lighter lighter/heavier warmer/colder colder/warmer cheaper/dearer richer/poorer poorer/richer "
        "taller/shorter wider/narrower deeper/shallower safer/riskier easier/harder harder/easier closer/farther "
        "largest/smallest smallest/largest highest/lowest lowest/highest longest/shortest oldest/youngest "
        "youngest/oldest fastest/slowest best/worst worst/best strongest/weakest biggest/smallest tallest/shortest "
        "increased/decreased decreased/increased increases/decreases decreases/increases increase/decrease "
        "decrease/increase rose/fell fell/rose rises/falls falls/rises grew/shrank shrank/grew gained/lost "
        "doubled/halved before/after after/before above/below below/above minimum/maximum maximum/minimum "
        "exceeded/undershot outnumber/trail outnumbered/trailed"
    ).split()
)
IDIOMS = (
    "more or less|sooner or later|once more|no more|the more|the less|what is more|before long|after all"
    "|before and after|better known|day after day|above all|one after|named after|look after|looked after|looks after"
    "|looking after|year after year|time after time|shortly after|fell in love|older brother|at best|best known"
    "|at worst|had better"
)
"""Where an opposite would be nonsense, or would say the same."""

# Only what does not follow: from `all` follows `some`, so that is no change to make.
QUANTIFIERS = {
    "all": ("none of", "few of"),
    "every": ("no",),
    "each": ("no",),
    "some": ("all", "no", "most"),
    "many": ("all", "no", "few"),
    "several": ("all", "no"),
    "few": ("many", "most"),
    "both": ("neither of",),
    "always": ("never", "rarely"),
    "often": ("always", "never", "rarely"),
    "sometimes": ("always", "never"),
    "usually": ("always", "never", "rarely"),
    "generally": ("always", "never"),
    "frequently": ("always", "never"),
    "rarely": ("often", "always"),
    "seldom": ("often", "always"),
    "never": ("sometimes", "always", "often"),
    "half": ("all", "most", "a quarter"),
    "none": ("all", "most"),
    "no": ("some",),
    "everyone": ("no one",),
    "everybody": ("nobody",),
    "somebody": ("nobody", "everybody"),
    "someone": ("no one", "everyone"),
    "nobody": ("somebody", "everybody"),
}
PHRASED = (("almost all", "all"), ("nearly all", "all"), ("a few", "most"), ("most of", "all of"), ("not all", "all"))

AUXILIARIES = "is are was were can could will would should must did does do has have had".split()
CONTRACTIONS = (
    ("is not", "isn't"),
    ("are not", "aren't"),
    ("was not", "wasn't"),
    ("were not", "weren't"),
    ("do not", "don't"),
    ("does not", "doesn't"),
    ("did not", "didn't"),
    ("has not", "hasn't"),
    ("have not", "haven't"),
    ("had not", "hadn't"),
    ("cannot", "can't"),
    ("could not", "couldn't"),
    ("will not", "won't"),
    ("would not", "wouldn't"),
    ("should not", "shouldn't"),
    ("it is", "it's"),
    ("they are", "they're"),
    ("we are", "we're"),
)
PREPOSITIONS = "in on at for by with from to under during through near inside".split()

ADJECTIVES = frozenset(
    (
        "big small large little old young new tall short long wide narrow heavy light dark bright white black "
        "red green blue yellow brown grey gray orange purple pink wooden stone iron steel busy quiet crowded "
        "empty sunny rainy cold warm hot wet dry dirty clean famous popular beautiful pretty modern ancient "
        "rural urban local regional national historic industrial commercial successful influential important "
        "prominent notable remote steep rich strong wealthy friendly colourful colorful independent annual "
        "daily weekly monthly flat round deep shallow fast"
    ).split()
)
"""Those that say something about a thing without unmaking it: a `former` bridge is no bridge, a `red` one is."""
ADVERBS = frozenset("very quite rather highly extremely fairly particularly remarkably unusually widely".split())

# What cannot follow a modifier that may go: then the modifier was the noun.
FUNCTION = frozenset(
    (
        "a an the and or but nor of in on at to for by with from as than that which who whose whom is are was were be "
        "been being has have had do does did can could will would should may might must not no it its he she they them "
        "his her their this these those when where while if because since until after before about into over under "
        "between during without within along among upon off out up down so too very more most less least also only "
        "one ones two three four five six seven eight nine ten first second third last next other others same such"
    ).split()
)
