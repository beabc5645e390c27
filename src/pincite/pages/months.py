"""The names of months in the languages that pages are written in."""

from __future__ import annotations

# One row for each month: full names, the forms they have after a day, and what they are cut down to. Names that are
# different months in two languages (listopad, srpanj) have the month of the larger one.
_ROWS = (
    "january jan januar jänner jaenner janvier janv enero ene gennaio gen januari janeiro stycznia styczeń sty stycz"
    " января январь янв січня січень січ ocak oca leden ledna led januára január ianuarie ian tammikuuta tammikuu"
    " tammi januara gener ιανουαρίου ιαν януари يناير siječnja jaanuar sausio janvāris janvārī",
    "february feb februar feber février fevrier févr fevr fév febrero febbraio febbr februari fevereiro fev lutego"
    " luty lut февраля февраль фев февр лютого лютий лют şubat subat şub únor února unora febru februára február"
    " febr februarie helmikuuta helmikuu helmi februara febrer φεβρουαρίου φεβ февруари فبراير veljače veebruar",
    "march mar märz maerz mrz mär mars marzo marz maart mrt março marco marca marzec марта март мар березня березень"
    " бер mart březen března brezna bře március marec martie maaliskuuta maaliskuu maalis marts març μαρτίου μαρ"
    " مارس ožujka",
    "april apr avril avr abril abr aprile kwietnia kwiecień kwi апреля апрель апр квітня квітень квіт nisan nis"
    " duben dubna dub április ápr aprilie huhtikuuta huhtikuu huhti aprila apríla απριλίου απρ април أبريل ابريل"
    " travnja",
    "may mai mayo maggio mag mei maio maja maj мая май травня травень трав mayıs mayis květen května kvetna kvě"
    " május máj mája toukokuuta toukokuu touko maig μαΐου μαϊου μαι مايو svibnja",
    "june jun juni juin junio giugno giu junho czerwca czerwiec cze июня июнь июн червня червень черв haziran haz"
    " červen června cervna čvn június jún júna iunie iun kesäkuuta kesäkuu kesä juna juny ιουνίου ιουν юни يونيو"
    " lipnja",
    "july jul juli juillet juil julio luglio lug julho lipca lipiec lip июля июль июл липня липень лип temmuz tem"
    " červenec července cervence čvc július júl júla iulie iul heinäkuuta heinäkuu heinä jula juliol ιουλίου ιουλ"
    " юли يوليو srpnja",
    "august aug août aout agosto ago augustus sierpnia sierpień sie августа август авг серпня серпень серп ağustos"
    " agustos ağu srpen srpna srp augusztus augusta elokuuta elokuu elo avgusta agost αυγούστου αυγ أغسطس اغسطس"
    " kolovoza",
    "september sept sep septembre septiembre setiembre settembre sett set setembro września wrzesień wrz сентября"
    " сентябрь сен сент вересня вересень вер eylül eylul eyl září zari szeptember szept septembra septembrie"
    " syyskuuta syyskuu syys setembre σεπτεμβρίου σεπ септември سبتمبر rujna",
    "october oct oktober okt octobre octubre ottobre ott outubro out października październik paź pazdziernika"
    " октября октябрь окт жовтня жовтень жовт ekim eki říjen října rijna október októbra octombrie lokakuuta lokakuu"
    " loka oktobra οκτωβρίου οκτ октомври أكتوبر اكتوبر",
    "november nov novembre noviembre novembro listopada listopad lis ноября ноябрь ноя нояб листопада лист kasım"
    " kasim kas listopadu novembra noiembrie noi marraskuuta marraskuu marras νοεμβρίου νοε ноември نوفمبر studenoga",
    "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro grudnia grudzień gru декабря"
    " декабрь дек грудня грудень груд aralık aralik ara prosinec prosince pro decembra decembrie joulukuuta joulukuu"
    " joulu desember des desembre δεκεμβρίου δεκ декември ديسمبر prosinca",
)
MONTHS = {name: number for number, names in enumerate(_ROWS, 1) for name in names.split()}
"""Numbers of months by their names in lower case."""


def month_number(text: str) -> int:
    """The number of a month, from its name or its digits; 0 where it is none."""
    if text.isdecimal():
        return int(text)
    return MONTHS.get(text.lower().rstrip("."), 0)
