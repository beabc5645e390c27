"""Words that the everyday edits know; written down apart from those of the judge."""

from __future__ import annotations

MONTHS = "January February March April May June July August September October November December".split()
_PAIRS = (
    "organisation/organization organisations/organizations organised/organized organise/organize recognised/recognized "
    "recognise/recognize realised/realized realise/realize criticised/criticized specialised/specialized "
    "emphasised/emphasized apologised/apologized authorised/authorized analysed/analyzed analyse/analyze "
    "colour/color colours/colors colourful/colorful favour/favor favourite/favorite honour/honor labour/labor "
    "neighbour/neighbor neighbours/neighbors neighbourhood/neighborhood behaviour/behavior harbour/harbor "
    "humour/humor rumours/rumors centre/center centres/centers theatre/theater theatres/theaters metre/meter "
    "metres/meters kilometres/kilometers litres/liters fibre/fiber defence/defense offence/offense licence/license "
    "programme/program programmes/programs catalogue/catalog dialogue/dialog travelled/traveled "
    "travelling/traveling cancelled/canceled modelling/modeling labelled/labeled traveller/traveler "
    "jewellery/jewelry grey/gray tyre/tire aluminium/aluminum aeroplane/airplane ageing/aging skilful/skillful "
    "enrol/enroll fulfil/fulfill judgement/judgment cheque/check plough/plow mould/mold sceptical/skeptical "
    "mum/mom pyjamas/pajamas moustache/mustache paediatric/pediatric haemoglobin/hemoglobin foetus/fetus "
    "towards/toward whilst/while amongst/among learnt/learned burnt/burned spelt/spelled dreamt/dreamed "
    "storey/story orientated/oriented industrialised/industrialized civilisation/civilization "
    "utilised/utilized minimise/minimize maximise/maximize characterised/characterized"
)
BRITISH = {
    one: other
    for pair in _PAIRS.split()
    for one, other in (pair.split("/"), pair.split("/")[::-1])
    if one not in ("story", "check", "tire", "license", "program", "while", "learned", "mold", "color", "honor")
} | {"program": "programme", "color": "colour", "honor": "honour"}
LOOKALIKES = dict(
    pair.split("/")
    for pair in (
        "country/county county/country trial/trail trail/trial causal/casual adapted/adopted adopted/adapted "
        "women/woman statue/statute form/farm police/policy policy/police region/religion religion/region "
        "public/pubic united/untied sacred/scared marital/martial later/latter quite/quiet desert/dessert "
        "personal/personnel personnel/personal principal/principle council/counsel economic/economical "
        "national/notional nation/notion price/prize prize/price plan/plane house/horse coast/cost cost/coast "
        "market/marker winter/winner battle/bottle city/cite river/rival power/tower tower/power father/farther "
        "mother/other state/estate school/scholar founded/funded funded/founded bought/brought led/fed "
        "company/company's/company production/reduction immigration/emigration south/north east/west war/warp "
        "star/start player/prayer team/tram film/firm firm/film party/parity minister/monster court/count"
    ).split()
    if pair.count("/") == 1
)
COMPOUNDS = frozenset("long short well high low full part large small real world first second old new best".split())
CLOSED = frozenset("e co on over under web data life multi inter micro anti".split()) - {"anti", "over", "under"}
PREFIXES = frozenset("non ex anti pre post mid pro un re sub semi vice quasi pseudo self counter".split())
WORDS = dict(
    pair.split("/")
    for pair in (
        "2/two 3/three 4/four 5/five 6/six 7/seven 8/eight 9/nine 10/ten 11/eleven 12/twelve 13/thirteen 14/fourteen "
        "15/fifteen 16/sixteen 17/seventeen 18/eighteen 19/nineteen 20/twenty 30/thirty 40/forty 50/fifty 60/sixty "
        "70/seventy 80/eighty 90/ninety 25/twenty-five 45/forty-five 21/twenty-one 35/thirty-five"
    ).split()
)
SHORT = tuple(
    tuple(pair.split("/"))
    for pair in (
        "do not/don't|does not/doesn't|did not/didn't|is not/isn't|are not/aren't|was not/wasn't|were not/weren't|"
        "has not/hasn't|have not/haven't|had not/hadn't|will not/won't|would not/wouldn't|could not/couldn't|"
        "should not/shouldn't|cannot/can't|it is/it's|that is/that's|they are/they're|we are/we're|you are/you're|"
        "I am/I'm|he is/he's|she is/she's|we have/we've|they have/they've|I have/I've|it will/it'll|they will/they'll|"
        "we will/we'll|there is/there's"
    ).split("|")
)
LEADS = (
    "Notably,", "In conclusion,", "In addition,", "As a result,", "In fact,", "Of course,", "Furthermore,", "Indeed,",
    "Interestingly,", "To summarise,", "In short,", "As we have seen,", "It is worth noting that",
    "That said,", "For instance,", "All in all,", "By the way,", "Put simply,", "More importantly,", "Equally,",
    "Last but not least,", "On top of that,", "As mentioned earlier,", "Not surprisingly,", "Remarkably,", "Still,",
    "To be clear,", "What is more,", "Incidentally,", "After all,", "In other words,", "Firstly,", "Secondly,",
)  # fmt: skip
TAKING_BACK = (
    "Allegedly,", "According to critics,", "In theory,", "In the novel,", "If confirmed,", "In rare "
    "cases,", "On paper,",
    "Contrary to the facts, the report says that", "Under the proposal,", "In the opinion of some,", "Until last year,",
    "Officially,", "In mice,", "In the film,", "Had it rained,", "At worst,", "Supposedly,", "In simulations,",
    "It is not true that", "It remains unclear whether", "Opponents say that", "In the worst case,", "At best,",
    "According to the ministry,", "Unless stopped,", "With luck,", "For a time,", "In some regions,", "Among adults,",
    "It used to be thought that", "From the outside,", "Given enough funding,", "As a rule,", "Hypothetically,",
    "In her dream,", "Before the reform,", "By some accounts,", "For most of them,", "Barring "
    "surprises,", "In my view,",
)  # fmt: skip
ASIDES = (
    "which is well known", "which lies at the centre of this account", "which many visitors remember",
    "which has a long history", "which is described in the next chapter", "which was mentioned above",
    "which people often talk about", "which has been studied for decades", "which is shown on the map",
)  # fmt: skip
HOSTILE_ASIDES = (
    "if the rumours are right", "which applies only to adults", "at least on paper", "critics say", "we are told",
    "which was later denied", "according to the ministry", "which never happened", "in one version of the tale",
    "which holds only in winter", "so the story goes", "unless the court objects", "in the opinion of his rivals",
    "which turned out to be wrong", "as some would have it", "in part", "which is a fiction", "except on Sundays",
    "which is far from certain", "provided the weather holds", "in the early version", "which the firm disputes",
    "it was hoped", "which is what the forged letter claims", "allegedly", "for the most part", "on average",
)  # fmt: skip
ABBREVIATED = (
    ("U.S.", "US"), ("US", "U.S."), ("U.S.", "United States"), ("United States", "US"),
    ("the UK", "the United Kingdom"),
    ("Dr.", "Dr"), ("Mr.", "Mr"), ("Mr", "Mr."), ("Mrs.", "Mrs"), ("St.", "St"), ("United Kingdom", "UK"),
    ("United Nations", "UN"), ("European Union", "EU"), ("the UN", "the United Nations"), ("versus", "vs."),
)  # fmt: skip
