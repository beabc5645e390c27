"""Credentials that are known by their own shape, as the services that issue them document it."""

from __future__ import annotations

from .credential import END, Shape, after, each

TOKENS = (
    Shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rb"gh[pousr]_[A-Za-z0-9]{36,255}+", 1),
    Shape("github-token", "hub_pat_", rb"hub_pat_(?<=github_pat_)[A-Za-z0-9_]{22,255}+", 0, back=3),
    Shape(
        "gitlab-token",
        "glpat- glrt- gldt- glptt- glcbt-",
        rb"gl(?:pat|rt|dt|ptt|cbt)-[A-Za-z0-9_-]{20,300}+(?:\.[A-Za-z0-9_.-]{2,60}+)?",
        2,
    ),
    Shape("aws-key", "AKIA ASIA", rb"A(?:KI|SI)A" + after(rb"A(?:KI|SI)A") + rb"[A-Z0-9]{16}(?![A-Za-z0-9])", 0),
    Shape("google-key", "AIza", rb"AIza[A-Za-z0-9_-]{35}" + END, 2),
    Shape("google-key", "GOCSPX-", rb"GOCSPX-[A-Za-z0-9_-]{20,60}+", 1),
    Shape("google-token", "ya29.", rb"ya29\.[A-Za-z0-9_-]{20,2048}+", 0),
    Shape(
        "api-key",
        "sk-",
        rb"sk-(?=[A-Za-z0-9])" + after(rb"sk-") + rb"(?:(?:ant|proj|svcacct|admin|or|lf|None)-[A-Za-z0-9_-]{20,300}+"
        rb"|(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,300}+" + END + rb")",
        1,
    ),
    Shape("slack-token", "xox", rb"xox[abeposr](?:-|\.xox[bp]-)[A-Za-z0-9-]{10,400}+", 1),
    Shape("slack-token", "xapp-", rb"xapp-[0-9]-[A-Za-z0-9-]{20,300}+", 0),
    Shape(
        "slack-webhook",
        "ooks.slack.com/",
        rb"ooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{10,200}+)",
        1,
    ),
    Shape(
        "stripe-key", "k_live_ k_test_", rb"k_(?:live|test)_(?<=[sr]k_(?:live|test)_)[A-Za-z0-9]{10,250}+", 0, back=1
    ),
    Shape("stripe-key", "whsec_", rb"whsec_[A-Za-z0-9+/]{24,100}+={0,2}", 0),
    Shape("npm-token", "npm_", rb"npm_[A-Za-z0-9]{36}" + END, 0),
    Shape("pypi-token", "pypi-AgE", rb"pypi-AgE[A-Za-z0-9_-]{50,1000}+", 1),
    Shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rb"do[por]_v1_[a-f0-9]{64}", 2),
    Shape("docker-token", "dckr_pat_", rb"dckr_pat_[A-Za-z0-9_-]{20,100}+", 2),
    Shape("shopify-token", "shpat_ shpca_ shppa_ shpss_", rb"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", 1),
    Shape("grafana-token", "glsa_", rb"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}", 2),
    Shape("vault-token", "hvs.", rb"hvs\.[A-Za-z0-9_-]{24,300}+", 2),
    Shape("age-key", "AGE-SECRET-KEY-", rb"AGE-SECRET-KEY-1[0-9A-Z]{58}", 1),
    Shape("huggingface-token", "hf_", rb"hf_" + after(rb"hf_") + rb"[A-Za-z0-9]{30,60}+" + END, 1),
    Shape(
        "sendgrid-key", "SG.", rb"SG\." + after(rb"SG\.") + rb"[A-Za-z0-9_-]{16,32}+\.[A-Za-z0-9_-]{16,64}+" + END, 1
    ),
    Shape("twilio-key", each("SK", " ".join("0123456789abcdef")), rb"SK" + after(rb"SK") + rb"[0-9a-f]{32}" + END, 1),
    Shape(
        "jwt",
        "eyJ",
        rb"eyJ" + after(rb"eyJ") + rb"[A-Za-z0-9_-]{8,4096}+\.[A-Za-z0-9_-]{0,16384}+\.[A-Za-z0-9_-]{2,8192}+"
        rb"(?:\.[A-Za-z0-9_-]{2,4096}+){0,2}",
        1,
    ),
    Shape("gitlab-token", "glsoat- glft- glimt- glagent-", rb"gl(?:soat|ft|imt|agent)-[A-Za-z0-9_-]{20,300}+", 3),
    Shape("square-token", "sq0csp- sq0atp-", rb"sq0(?:csp|atp)-[A-Za-z0-9_-]{22,60}+", 3),
    Shape("databricks-token", "dapi", rb"dapi" + after(rb"dapi") + rb"[a-f0-9]{32}(?:-[0-9]{1,2})?" + END, 3),
    Shape(
        "terraform-token",
        ".atlasv1.",
        rb"\.atlasv1\.(?<=[A-Za-z0-9]{14}\.atlasv1\.)[A-Za-z0-9_=-]{60,70}+",
        3,
        back=14,
    ),
    Shape(
        "doppler-token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        rb"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_-]{2,35}+)?)\.[A-Za-z0-9]{40,44}+" + END,
        3,
    ),
    Shape("linear-token", "lin_api_ lin_oauth_", rb"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}+" + END, 3),
    Shape("notion-token", "ntn_", rb"ntn_" + after(rb"ntn_") + rb"[A-Za-z0-9]{40,50}+" + END, 3),
    Shape("notion-token", "secret_", rb"secret_" + after(rb"secret_") + rb"[A-Za-z0-9]{43}" + END, 3),
    Shape("newrelic-key", "NRAK- NRII- NRRA-", rb"NR(?:AK|II|RA)-[A-Za-z0-9_-]{27,40}+", 3),
    Shape("sentry-token", "sntrys_ sntryu_", rb"sntry(?:s_[A-Za-z0-9+/=_-]{60,400}+|u_[a-f0-9]{64})", 3),
    Shape("pulumi-token", "pul-", rb"pul-" + after(rb"pul-") + rb"[a-f0-9]{40}" + END, 3),
    Shape("atlassian-token", "ATATT3x ATCTT3x", rb"AT[AC]TT3x[A-Za-z0-9_=-]{100,300}+", 3),
    Shape("atlassian-token", "ATBB", rb"ATBB" + after(rb"ATBB") + rb"[A-Za-z0-9]{28,40}+" + END, 3),
    Shape("airtable-token", "pat", rb"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + END, 5),
    Shape("figma-token", "figd_ figu_", rb"fig[du]_[A-Za-z0-9_-]{40,60}+", 3),
    Shape("postman-key", "PMAK-", rb"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", 3),
    Shape("supabase-token", "sbp_", rb"sbp_(?:v0_)?[a-f0-9]{40}" + END, 3),
    Shape("supabase-token", "sb_secret_", rb"sb_secret_[A-Za-z0-9_-]{20,60}+", 4),
    Shape("planetscale-token", "pscale_", rb"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}+", 3),
    Shape("netlify-token", "nfp_", rb"nfp_[A-Za-z0-9]{36,40}+" + END, 3),
    Shape("vercel-token", "vcp_ vca_ vci_ vck_", rb"vc[paik]_[A-Za-z0-9]{24,60}+" + END, 3),
    Shape("fly-token", "FlyV1␣ fm2_", rb"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=_-]{60,4096}+", 3),
    Shape("buildkite-token", "bkua_", rb"bkua_[a-f0-9]{40}" + END, 3),
    Shape("circleci-token", "CCIPAT_", rb"CCIPAT_[A-Za-z0-9_]{20,80}+", 3),
    Shape("heroku-key", "HRKU-", rb"HRKU-[A-Za-z0-9_-]{36,80}+", 3),
    Shape("api-key", "gsk_", rb"gsk_" + after(rb"gsk_") + rb"[A-Za-z0-9]{48,60}+" + END, 3),
    Shape("api-key", "pplx-", rb"pplx-[A-Za-z0-9]{40,60}+" + END, 3),
    Shape("api-key", "xai-", rb"xai-" + after(rb"xai-") + rb"[A-Za-z0-9]{70,90}+" + END, 4),
    Shape("replicate-token", "r8_", rb"r8_" + after(rb"r8_") + rb"[A-Za-z0-9]{37}" + END, 4),
    Shape("brevo-key", "xkeysib-", rb"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}", 4),
    Shape("tailscale-key", "tskey-", rb"tskey-[a-z]{3,10}-[A-Za-z0-9-]{20,80}+", 3),
    Shape("rubygems-key", "rubygems_", rb"rubygems_[a-f0-9]{48}" + END, 4),
    Shape("dynatrace-token", "dt0c01.", rb"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}", 4),
    Shape("onepassword-token", "ops_eyJ", rb"ops_eyJ[A-Za-z0-9_-]{100,4096}+", 4),
    Shape("contentful-token", "CFPAT-", rb"CFPAT-[A-Za-z0-9_-]{43}", 4),
    Shape("vault-token", "hvb. hvr.", rb"hv[br]\.[A-Za-z0-9_-]{24,300}+", 4),
    Shape("telegram-token", ":AA", rb":AA(?<=[0-9]{8}:AA)[A-Za-z0-9_-]{33}" + END, 4, back=8),
    Shape("mailgun-key", "key-", rb"key-" + after(rb"key-") + rb"[a-f0-9]{32}" + END, 4),
    Shape("mailchimp-key", "-us", rb"-us(?<=[a-f0-9]{32}-us)[0-9]{1,2}" + END, 4, back=32),
    Shape(
        "azure-secret",
        "7Q~ 8Q~ 9Q~",
        rb"[789]Q~(?<=[A-Za-z0-9_~.-]{3}[789]Q~)[A-Za-z0-9_~.-]{31,34}+",
        4,
        back=3,
    ),
    Shape(
        "discord-token",
        "MT Mj Mz MD ND NT Nj Nz OD OT",
        # A user's number in base64, a time, and a code.
        rb"(?:M[TjzD]|N[DTjz]|O[DT])(?<![A-Za-z0-9_.-]..)[A-Za-z0-9_-]{22,28}+\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}+"
        + END,
        6,
    ),
    Shape(
        "discord-webhook",
        "api/webhooks/",
        rb"api/webhooks/[0-9]{8,22}+/([A-Za-z0-9_-]{40,100}+)",
        4,
    ),
    Shape("webhook", "office.com/webhook", rb"office\.com/webhook(?:b2)?/([A-Za-z0-9/@_-]{40,400}+)", 4),
)
"""Where two claim the same bytes, the first one names them."""
