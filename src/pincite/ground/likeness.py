"""Words that mean much the same, and words that exclude each other."""

from __future__ import annotations

from .stems import stem

_ALIKE = (
    "man guy male gentleman person human people|woman lady female girl person human people|child kid boy girl "
    "youngster toddler baby infant|crowd group people audience|individual person human|dog puppy animal canine|cat "
    "kitten animal|horse bird animal|car vehicle automobile truck|bike bicycle cyclist motorcycle|film movie|song "
    "single track music|company firm corporation business|country nation|city town|big large huge giant great|small "
    "little tiny|start begin|end finish conclude|kill murder die|make create produce build manufacture|create found "
    "establish develop|show demonstrate reveal display exhibit|help aid assist|buy purchase acquire|job work employ|"
    "doctor physician|ill sick disease illness disorder infection|virus coronavirus covid sars|increase rise grow "
    "raise|decrease fall decline drop reduce lower|cause lead result trigger|important significant major key|near "
    "close next beside|street road sidewalk|walk stroll go move|run jog sprint race|jump leap|talk speak chat "
    "converse|look watch see stare gaze view|eat consume dine food meal|outside outdoors|inside indoors|photo "
    "picture photograph image|ocean sea lake river pool water|sport game match|perform play act|musician singer "
    "artist performer band|guitar piano instrument|shirt dress clothes clothing wear|hold carry grab|throw toss|cut "
    "slice chop|cook prepare fry|ride drive|couple two pair|author writer novelist|actor actress performer|president "
    "leader head chief|use utilize employ|many several numerous|scientist researcher expert|study research|warm heat "
    "hot temperature|earth world globe planet global worldwide|rich wealthy|attack assault strike|win victory defeat "
    "beat|team club side|born birth|live reside|home house building|usa america american u.s.|british britain u.k.|"
    "plant tree|sun solar|often frequently|usually typically|get receive obtain|give provide offer supply|need "
    "require|allow let permit enable|want wish desire|try attempt|fight battle war conflict|arrest detain|money fund "
    "cash|school university college|student pupil|teacher professor|beach shore sand|field grass lawn|snow winter "
    "ice|swim water|mountain hill|smile laugh happy|sleep nap rest relax|place location area region|part section "
    "portion piece|kind type sort form|fast quick rapid|believe think|say state tell claim|name call title|base "
    "locate situate|consist comprise contain include|known famous popular|release issue publish|award prize honor|"
    "album record|series show program television tv|marry wife husband spouse wed|vaccine vaccination immunization|"
    "prevent stop protect avoid|risk danger dangerous|fatal deadly|treat therapy|effect impact affect influence|"
    "spread transmit transmission|evidence proof|rule law legislation|police officer cop official|someone somebody|"
    "halve half reduce|double twice|inhabitant population resident people"
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


def _alike() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for row in _ALIKE.split("|"):
        words = {stem(word) for word in row.split()}
        for word in words:
            table.setdefault(word, set()).update(words - {word})
    return {word: frozenset(others) for word, others in table.items()}


def _opposed() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for row in _OPPOSED.split("|"):
        head, *others = row.split()
        for other in others:
            for one, two in ((head, other), (other, head)):
                table.setdefault(one, set()).add(two)
                table.setdefault(stem(one), set()).add(stem(two))
    return {word: frozenset(others) for word, others in table.items()}


OPPOSED = _opposed()
"""Word or stem to what it excludes."""
ALIKE = {word: others - OPPOSED.get(word, frozenset()) for word, others in _alike().items()}
"""Stem to the stems that may stand for it."""
