#!/bin/sh
# Installs what the tests of `pincite serve` use in a real browser: Chromium and a font with brackets such as 【 】 from
# the distribution's packages, and axe-core with npm into build/axe. What cannot be installed is named and left out: the
# tests that need it are skipped by name. This never fails.

AXE=build/axe

has() { command -v "$1" >/dev/null 2>&1; }

if [ -n "$PINCITE_CHROMIUM" ] || has chromium || has chromium-browser || has google-chrome; then
    echo "a browser is there"
elif has apt-get && [ "$(id -u)" = 0 ]; then
    echo "installing chromium and fonts-noto-cjk"
    export DEBIAN_FRONTEND=noninteractive
    timeout 300 apt-get update -qq >/dev/null 2>&1
    timeout 900 apt-get install -qq -y --no-install-recommends chromium fonts-noto-cjk >/dev/null 2>&1 \
        || echo "chromium does not install: the tests in a browser are skipped" >&2
else
    echo "no browser was found, and this user cannot install one: the tests in a browser are skipped" >&2
fi

if [ -n "$PINCITE_AXE" ] || [ -f "$AXE/node_modules/axe-core/axe.min.js" ]; then
    echo "axe-core is there"
elif has npm; then
    echo "installing axe-core"
    timeout 300 npm install --silent --no-audit --no-fund --no-package-lock --prefix "$AXE" axe-core@4.14.0 >/dev/null 2>&1 \
        || echo "axe-core does not install: the tests with it are skipped" >&2
else
    echo "npm was not found: the tests with axe-core are skipped" >&2
fi
exit 0
