"""Words that mean much the same, and words that exclude each other."""

from __future__ import annotations

from ..text.stems import stem

# The words of a row say the same of a thing, so that one may stand for the other.
_SAME = (
    "man guy gentleman|woman lady|child kid youngster|baby infant|people persons|film movie|company firm "
    "corporation|country nation|big large huge giant|small little tiny|start begin commence|end finish conclude|kill "
    "murder|make produce manufacture|create establish found|show demonstrate reveal|show display exhibit|help aid "
    "assist|buy purchase acquire|doctor physician|ill sick|disease illness disorder|increase rise grow raise|decrease "
    "fall decline drop reduce lower|cause trigger|cause lead result|important significant|major key main primary "
    "principal predominant chief|near beside|near close|street road|walk stroll|run jog|jump leap|talk speak chat "
    "converse|watch see view|look stare gaze|eat consume dine|outside outdoors|inside indoors|photo picture photograph "
    "image|bike bicycle|car automobile|hold carry|throw toss|cut slice|couple pair two|author writer|use utilize "
    "employ|many several numerous multiple various|researcher scientist|study research|earth world globe|global "
    "worldwide|rich wealthy|attack assault|win victory|defeat beat|live reside|usa america u.s.|britain u.k.|often "
    "frequently commonly|usually typically|get receive obtain|give provide supply|need require|allow let permit "
    "enable|want wish desire|try attempt|arrest detain|student pupil|field lawn grass|snow ice|mountain hill|sleep "
    "nap|rest relax|place location site|area region|part section portion piece|kind type sort form|fast quick "
    "rapid|believe think|say state tell|name call title term|call know|base locate situate|consist comprise|contain "
    "include|famous well-known|release issue publish|award prize|prevent stop avoid|risk danger|dangerous risky|fatal "
    "deadly lethal|treatment therapy|affect influence|effect impact|spread transmit|evidence proof|law "
    "legislation|someone somebody|halve half|double twice|inhabitant resident|move relocate|application app|bad "
    "terrible awful|good great|happen occur|keep retain maintain|build construct|choose select pick|repair fix "
    "mend|destroy ruin|gather collect|answer reply respond|ask inquire|hide conceal|brave courageous|cheap "
    "inexpensive|clever smart intelligent|angry mad|quiet silent|sofa couch|rock stone|garbage trash rubbish|fall "
    "autumn|shop store|hotel inn|house home|gun firearm|coast shore|present gift|film footage|former ex|total "
    "overall|entire whole complete|previous prior|annual yearly|modern contemporary|attain reach achieve|discover "
    "find|employee worker staff|spouse partner|physician medic|percent %|launch introduce|approve authorise "
    "authorize|agree consent|fire blaze|ship vessel|boat vessel|aeroplane airplane plane aircraft|prompt cause|hazard "
    "danger|attribute ascribe|begin open|remain stay|suffer endure|fail collapse|mistake error|goal aim "
    "objective|method approach technique|amount quantity|cost price|job work occupation|money cash funds|mother mom "
    "mum|father dad|lawyer attorney|happy glad joyful pleased delighted|sad unhappy miserable|huge enormous|drink "
    "beverage|universe cosmos|path trail|close shut|mix stir|chop cut|feel sense|vary range|shore beach|fight "
    "battle|phone cellphone|powerful potent|girl lass|finally eventually|rarely seldom|begin originate|reduce cut|seem "
    "appear|prove turn"
)
# What is one of the others is also the first: a quote's dog is the claim's animal, and not the reverse.
_KINDS = (
    "person man woman boy girl child kid lady guy baby toddler adult worker player student teacher doctor musician "
    "singer actor cyclist runner skateboarder officer soldier human individual someone artist performer|people men "
    "women boys girls children kids ladies guys adults workers players students crowd group couple|human man woman "
    "person people|child boy girl toddler baby infant|male man boy|female woman girl lady|group crowd team band "
    "family|animal dog puppy cat kitten horse bird cow sheep goat elephant monkey|dog puppy|cat kitten|canine "
    "dog|vehicle car truck bus van motorcycle bike bicycle automobile|instrument guitar piano violin drum drums flute "
    "trumpet saxophone|sport football soccer basketball baseball tennis hockey volleyball rugby|game football soccer "
    "basketball baseball tennis hockey chess|clothes shirt dress jacket pants suit coat hat|building house home church "
    "school hotel|water ocean sea lake river pool|food meal meat bread fruit pizza sandwich|move walk run jog "
    "jump|outdoors park beach field street mountain|plant tree flower|performer singer musician dancer|musician "
    "guitarist drummer pianist|book novel|university college|school university college|illness infection flu|virus "
    "coronavirus covid|vaccine immunization|leader president chief head|official officer police|program series "
    "show|music song track|record album single|spread transmission|place city town village country|city "
    "capital|decline crash|change increase decrease rise fall|vegetable carrot onion potato tomato|weapon gun rifle "
    "pistol knife|kid boy girl|toy ball|fruit apple orange banana|tool hammer drill saw|metal iron steel copper gold "
    "silver lead|drug aspirin"
)
# Words that turn up in each other's company: enough to count as held, too little to stand for one another.
_LOOSE = (
    "crowd group people audience|horse bird animal|car vehicle truck|bike cyclist motorcycle|song single track music|"
    "company business|city town|great big|murder die kill|make create build|develop found create|job employ|virus "
    "coronavirus covid sars|infection disease illness|next close near|sidewalk street|go walk move|sprint race run|see "
    "look watch|food meal eat|ocean sea lake river pool water|sport game match|perform play act|musician singer artist "
    "performer band|guitar piano instrument|shirt dress clothes clothing wear|grab hold|chop cut|cook prepare fry|ride "
    "drive|novelist author|actor actress performer|president leader head chief|expert scientist|warm heat hot "
    "temperature|planet earth global worldwide|strike attack|win beat defeat|team club side|born birth|home house "
    "building|american america u.s.|british britain u.k.|plant tree|sun solar|offer give|fight battle war conflict|"
    "money fund|school university college|teacher professor|beach shore sand|winter snow|swim water|smile laugh happy|"
    "sleep rest|place area|claim say|popular known famous|honor award|album record|series show program television tv|"
    "marry wife husband spouse wed|vaccine vaccination immunization|protect prevent|risk dangerous|treat therapy|rule "
    "law legislation|police officer cop official|reduce halve|population inhabitant people resident|human person"
)
# The first word of a row excludes each of the others.
_OPPOSED = (
    "high low|higher lower|increase decrease|increased decreased|rise fall|more less fewer least|large small|larger "
    "smaller|big little|long short|longer shorter|old young|older younger|good bad|better worse|best worst|early "
    "late|earlier later|before after|first last|above below|over under|up down|inside outside outdoors|open close|"
    "win lose|won lost|male female|men women|boy girl|boys girls|husband wife|son daughter|mother father|brother "
    "sister|alive dead|live die|hot cold|warm cool|wet dry|light dark|fast slow|rich poor|strong weak|hard soft easy|"
    "easy difficult|true false|right wrong left|same different|similar different|always never sometimes|all none|"
    "everything nothing|many few|most least|majority minority|accept reject|allow forbid prevent|support oppose|"
    "agree disagree|like dislike|love hate|safe dangerous unsafe|success failure|succeed fail|succeeded failed|start "
    "stop|begin end|beginning end|arrive leave|buy sell|import export|enter exit|create destroy|build destroy|"
    "positive negative|public private|legal illegal|possible impossible|likely unlikely|able unable|happy sad|"
    "sitting standing|sit stand|sleeping awake|asleep awake|indoors outdoors|indoor outdoor|maximum minimum|north "
    "south|east west|northern southern|eastern western|ancient modern|include exclude|included excluded|known "
    "unknown|clean dirty|near far|push pull|smile frown|teach learn|ally enemy|friend enemy|war peace|guilty "
    "innocent|correct incorrect|complete incomplete|permanent temporary|major minor|primary secondary|deny confirm|"
    "denied confirmed|improve worsen|expand shrink|gain loss|growth decline|grow shrink|thick thin|wide narrow|deep "
    "shallow|loud quiet|noisy quiet|cheap expensive|simple complex|present absent|visible invisible|benefit harm|"
    "beneficial harmful|effective ineffective|often rarely|frequently rarely|crowded empty|adult child|adults "
    "children|urban rural|tall short|upper lower|top bottom|front back|add remove|popular unpopular|lucky unlucky|"
    "healthy sick unhealthy|full empty|some none|man woman|single married|few all|day night|black white|everyone "
    "nobody|walking running|both neither|heavy light|heavier lighter|gain lose|gained lost|summer winter|"
    "born died|because despite|grant deny|expand contract|enable disable|majority minority|fail succeed"
)


def _build_synonyms(*tables: str) -> dict[str, frozenset[str]]:
    """Stem to the stems that share a row with it."""
    table: dict[str, set[str]] = {}
    for rows in tables:
        for row in rows.split("|"):
            words = {stem(word) for word in row.split()}
            for word in words:
                table.setdefault(word, set()).update(words - {word})
    return {word: frozenset(others) for word, others in table.items()}


def _build_hypernyms() -> dict[str, frozenset[str]]:
    """Stem to the stems of what it is a kind of."""
    table: dict[str, set[str]] = {}
    for row in _KINDS.split("|"):
        general, *special = (stem(word) for word in row.split())
        for word in special:
            table.setdefault(word, set()).add(general)
    return {word: frozenset(others - {word}) for word, others in table.items()}


def _build_opposites() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for row in _OPPOSED.split("|"):
        head, *others = row.split()
        for other in others:
            for one, two in ((head, other), (other, head)):
                table.setdefault(one, set()).add(two)
                table.setdefault(stem(one), set()).add(stem(two))
    return {word: frozenset(others) for word, others in table.items()}


OPPOSED = _build_opposites()
"""Word or stem to what it excludes."""
ALIKE = {
    word: others - OPPOSED.get(word, frozenset()) for word, others in _build_synonyms(_SAME, _KINDS, _LOOSE).items()
}
"""Stem to the stems that turn up where it is spoken of."""
SYNONYMS = {word: others - OPPOSED.get(word, frozenset()) for word, others in _build_synonyms(_SAME).items()}
"""Stem to the stems that say the same."""
KIND_OF = _build_hypernyms()
"""Stem to the stems that are more general: what is said of the one is said of the other."""
