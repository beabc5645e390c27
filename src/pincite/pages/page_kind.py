"""What sort of page it is where its host says nothing, and whether it needs a browser to be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Document

    from .head import PageHead
    from .tag_scan import TagScan

_FORUM = re.compile(
    r"discourse|phpbb|vbulletin|xenforo|mybb|invision|flarum|nodebb|vanilla forum|simple machines", re.I
)
_TECHNICAL = re.compile(
    r"sphinx|mkdocs|docusaurus|doxygen|javadoc|gitbook|antora|asciidoctor|vuepress|vitepress|rustdoc|pdoc|docfx|docbook"
    r"|docutils|mdbook|starlight|readthedocs|read the docs|xml2rfc|bikeshed|respec|makeinfo|texinfo|gtk-doc|pandoc",
    re.IGNORECASE,
)
_BLOG = re.compile(
    r"wordpress|ghost|blogger|hugo|jekyll|medium|substack|movable type|typepad|eleventy|hexo|pelican", re.I
)
_FEW_CODE_BLOCKS = 2
_MOUNTS = (
    "#root, #app, #__next, #___gatsby, #__nuxt, #svelte, #app-root, #react-root, #main-app, [ng-app], [ng-version], "
    "app-root, [data-reactroot], #ember-app, #q-app"
)
_WITHOUT = re.compile(
    r"(?:enable|requires?|needs?|turn(?:ed)? on|activate|without|support)[^.]{0,40}\bjava\s?script\b"
    r"|\bjava\s?script\b[^.]{0,40}(?:enabled?|required|disabled|turned off|activated|needed)",
    re.IGNORECASE,
)
_FEW_WORDS = 60
_HARDLY_ANY = 25
_MUCH_SCRIPT = 20_000


def signed_kind(head: PageHead, document: Document, scan: TagScan) -> str:
    """`forum`, `technical`, `blog` or empty, by the program that made the page and by its markup."""
    generator = " ".join(head.metas.get("generator", ()))[:500]
    types = head.linked.types
    if _FORUM.search(generator) or types & {"discussionforumposting", "qapage"} or scan.by["forum"]:
        return "forum"
    if (
        _TECHNICAL.search(generator)
        or types & {"techarticle", "apireference", "softwaresourcecode"}
        or scan.by["technical"]
        or len(document.select("pre")) >= _FEW_CODE_BLOCKS
    ):
        return "technical"
    if _BLOG.search(generator) or types & {"blogposting", "blog"} or scan.by["blog"]:
        return "blog"
    return ""


class Scripts:
    """What the scripts of a page tell, taken before they are removed."""

    __slots__ = ("_asks", "_bundles", "_size")

    def __init__(self, document: Document) -> None:
        noscript = " ".join(tag.text[:2000] for tag in document.select("noscript")[:20])
        self._asks = _WITHOUT.search(noscript[:8000]) is not None
        scripts = [tag for tag in document.select("script")[:500] if "json" not in (tag.attr("type") or "")]
        self._bundles = sum(1 for tag in scripts if tag.attr("src"))
        self._size = sum(len(tag.text) for tag in scripts)

    def needed(self, text: str, document: Document) -> bool:
        """Whether this text is only what is there before the scripts ran."""
        words = len(text[:4000].split())
        if words > _FEW_WORDS or not (self._bundles or self._size):
            return False
        if self._asks or _WITHOUT.search(text[:2000]):
            return True
        if words > _HARDLY_ANY:
            return False
        return self._size > _MUCH_SCRIPT or document.select_one(_MOUNTS) is not None
