"""The options of every git call, so that no setting of a user, a machine or a repository runs a program or changes an
answer.

The settings of the user and of the machine are not read at all. Those of the repository cannot be left out, so what
matters here is set again on the command line, which goes before them.
"""

from __future__ import annotations

import os
import sys

_RUNS_NOTHING = """
core.fsmonitor=false core.hooksPath=/dev/null core.pager=cat core.sshCommand=false core.alternateRefsCommand=
credential.helper= diff.external= gc.auto=0 log.showSignature=false protocol.allow=never submodule.recurse=false
"""
"""Of what would run a program."""
_SAME_OUTPUT = """
blame.ignoreRevsFile= color.ui=false core.abbrev=40 core.attributesFile=/dev/null core.bigFileThreshold=512m
core.checkStat=default core.excludesFile=/dev/null core.quotePath=false core.trustctime=true diff.algorithm=default
diff.colorMoved=no diff.context=3 diff.dstPrefix=b/ diff.ignoreSubmodules=dirty diff.indentHeuristic=true
diff.interHunkContext=0 diff.mnemonicPrefix=false diff.noprefix=false diff.orderFile=/dev/null diff.relative=false
diff.renameLimit=1000 diff.renames=true diff.srcPrefix=a/ diff.submodule=short diff.suppressBlankEmpty=false
i18n.commitEncoding=UTF-8 i18n.logOutputEncoding=UTF-8 log.abbrevCommit=false log.decorate=false
log.diffMerges=separate log.follow=false log.mailmap=false log.showRoot=true status.relativePaths=false
status.renames=true status.showUntrackedFiles=normal
"""
"""Of what would change the output that is parsed here."""
# Two names that differ by case are two files here, whatever the repository says.
_CASE = ("core.ignoreCase=false",) if sys.platform == "linux" else ()
SETTINGS = (*_RUNS_NOTHING.split(), *_SAME_OUTPUT.split(), *_CASE)
_KEEPS_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(64 << 20)}
"""Of the GNU C library: to give back the memory of each file of a log, and to take it again, is a fifth of the work."""
ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    **_KEEPS_MEMORY,
}
THE_USERS_OWN = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
"""What is left out where the user's own settings have a say: whose repositories are trusted, where hooks are."""
