"""Credentials that are known by their own shape, as the services that issue them document it."""

from __future__ import annotations

from .credential import END, CredentialShape, after, each

TOKENS = (
    CredentialShape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rb"gh[pousr]_[A-Za-z0-9]{36,255}+", 1),
    CredentialShape("github-token", "hub_pat_", rb"hub_pat_(?<=github_pat_)[A-Za-z0-9_]{22,255}+", 0, back=3),
    CredentialShape(
        "gitlab-token",
        "glpat- glrt- gldt- glptt- glcbt-",
        rb"gl(?:pat|rt|dt|ptt|cbt)-[A-Za-z0-9_-]{20,300}+(?:\.[A-Za-z0-9_.-]{2,60}+)?",
        2,
    ),
    CredentialShape(
        "aws-key", "AKIA ASIA", rb"A(?:KI|SI)A" + after(rb"A(?:KI|SI)A") + rb"[A-Z0-9]{16}(?![A-Za-z0-9])", 0
    ),
    CredentialShape("google-key", "AIza", rb"AIza[A-Za-z0-9_-]{35}" + END, 2),
    CredentialShape("google-key", "GOCSPX-", rb"GOCSPX-[A-Za-z0-9_-]{20,60}+", 1),
    CredentialShape("google-token", "ya29.", rb"ya29\.[A-Za-z0-9_-]{20,2048}+", 0),
    CredentialShape(
        "api-key",
        "sk-",
        rb"sk-(?=[A-Za-z0-9])" + after(rb"sk-") + rb"(?:(?:ant|proj|svcacct|admin|or|lf|None)-[A-Za-z0-9_-]{20,300}+"
        rb"|(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,300}+" + END + rb")",
        1,
    ),
    CredentialShape("slack-token", "xox", rb"xox[abeposr](?:-|\.xox[bp]-)[A-Za-z0-9-]{10,400}+", 1),
    CredentialShape("slack-token", "xapp-", rb"xapp-[0-9]-[A-Za-z0-9-]{20,300}+", 0),
    CredentialShape(
        "slack-webhook",
        "ooks.slack.com/",
        rb"ooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{10,200}+)",
        1,
    ),
    CredentialShape(
        "stripe-key", "k_live_ k_test_", rb"k_(?:live|test)_(?<=[sr]k_(?:live|test)_)[A-Za-z0-9]{10,250}+", 0, back=1
    ),
    CredentialShape("stripe-key", "whsec_", rb"whsec_[A-Za-z0-9+/]{24,100}+={0,2}", 0),
    CredentialShape("npm-token", "npm_", rb"npm_[A-Za-z0-9]{36}" + END, 0),
    CredentialShape("pypi-token", "pypi-AgE", rb"pypi-AgE[A-Za-z0-9_-]{50,1000}+", 1),
    CredentialShape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rb"do[por]_v1_[a-f0-9]{64}", 2),
    CredentialShape("docker-token", "dckr_pat_", rb"dckr_pat_[A-Za-z0-9_-]{20,100}+", 2),
    CredentialShape("shopify-token", "shpat_ shpca_ shppa_ shpss_", rb"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", 1),
    CredentialShape("grafana-token", "glsa_", rb"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}", 2),
    CredentialShape("vault-token", "hvs.", rb"hvs\.[A-Za-z0-9_-]{24,300}+", 2),
    CredentialShape("age-key", "AGE-SECRET-KEY-", rb"AGE-SECRET-KEY-1[0-9A-Z]{58}", 1),
    CredentialShape("huggingface-token", "hf_", rb"hf_" + after(rb"hf_") + rb"[A-Za-z0-9]{30,60}+" + END, 1),
    CredentialShape(
        "sendgrid-key", "SG.", rb"SG\." + after(rb"SG\.") + rb"[A-Za-z0-9_-]{16,32}+\.[A-Za-z0-9_-]{16,64}+" + END, 1
    ),
    CredentialShape(
        "twilio-key", each("SK", " ".join("0123456789abcdef")), rb"SK" + after(rb"SK") + rb"[0-9a-f]{32}" + END, 1
    ),
    CredentialShape(
        "jwt",
        "eyJ",
        rb"eyJ" + after(rb"eyJ") + rb"[A-Za-z0-9_-]{8,4096}+\.[A-Za-z0-9_-]{0,16384}+\.[A-Za-z0-9_-]{2,8192}+"
        rb"(?:\.[A-Za-z0-9_-]{2,4096}+){0,2}",
        1,
    ),
    CredentialShape(
        "gitlab-token", "glsoat- glft- glimt- glagent-", rb"gl(?:soat|ft|imt|agent)-[A-Za-z0-9_-]{20,300}+", 3
    ),
    CredentialShape("square-token", "sq0csp- sq0atp-", rb"sq0(?:csp|atp)-[A-Za-z0-9_-]{22,60}+", 3),
    CredentialShape("databricks-token", "dapi", rb"dapi" + after(rb"dapi") + rb"[a-f0-9]{32}(?:-[0-9]{1,2})?" + END, 3),
    CredentialShape(
        "terraform-token",
        ".atlasv1.",
        rb"\.atlasv1\.(?<=[A-Za-z0-9]{14}\.atlasv1\.)[A-Za-z0-9_=-]{60,70}+",
        3,
        back=14,
    ),
    CredentialShape(
        "doppler-token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        rb"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_-]{2,35}+)?)\.[A-Za-z0-9]{40,44}+" + END,
        3,
    ),
    CredentialShape("linear-token", "lin_api_ lin_oauth_", rb"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}+" + END, 3),
    CredentialShape("notion-token", "ntn_", rb"ntn_" + after(rb"ntn_") + rb"[A-Za-z0-9]{40,50}+" + END, 3),
    CredentialShape("notion-token", "secret_", rb"secret_" + after(rb"secret_") + rb"[A-Za-z0-9]{43}" + END, 3),
    CredentialShape("newrelic-key", "NRAK- NRII- NRRA-", rb"NR(?:AK|II|RA)-[A-Za-z0-9_-]{27,40}+", 3),
    CredentialShape("sentry-token", "sntrys_ sntryu_", rb"sntry(?:s_[A-Za-z0-9+/=_-]{60,400}+|u_[a-f0-9]{64})", 3),
    CredentialShape("pulumi-token", "pul-", rb"pul-" + after(rb"pul-") + rb"[a-f0-9]{40}" + END, 3),
    CredentialShape("atlassian-token", "ATATT3x ATCTT3x", rb"AT[AC]TT3x[A-Za-z0-9_=-]{100,300}+", 3),
    CredentialShape("atlassian-token", "ATBB", rb"ATBB" + after(rb"ATBB") + rb"[A-Za-z0-9]{28,40}+" + END, 3),
    CredentialShape("airtable-token", "pat", rb"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + END, 5),
    CredentialShape("figma-token", "figd_ figu_", rb"fig[du]_[A-Za-z0-9_-]{40,60}+", 3),
    CredentialShape("postman-key", "PMAK-", rb"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", 3),
    CredentialShape("supabase-token", "sbp_", rb"sbp_(?:v0_)?[a-f0-9]{40}" + END, 3),
    CredentialShape("supabase-token", "sb_secret_", rb"sb_secret_[A-Za-z0-9_-]{20,60}+", 4),
    CredentialShape("planetscale-token", "pscale_", rb"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}+", 3),
    CredentialShape("netlify-token", "nfp_", rb"nfp_[A-Za-z0-9]{36,40}+" + END, 3),
    CredentialShape("vercel-token", "vcp_ vca_ vci_ vck_", rb"vc[paik]_[A-Za-z0-9]{24,60}+" + END, 3),
    CredentialShape("fly-token", "FlyV1␣ fm2_", rb"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=_-]{60,4096}+", 3),
    CredentialShape("buildkite-token", "bkua_", rb"bkua_[a-f0-9]{40}" + END, 3),
    CredentialShape("circleci-token", "CCIPAT_", rb"CCIPAT_[A-Za-z0-9_]{20,80}+", 3),
    CredentialShape("heroku-key", "HRKU-", rb"HRKU-[A-Za-z0-9_-]{36,80}+", 3),
    CredentialShape("api-key", "gsk_", rb"gsk_" + after(rb"gsk_") + rb"[A-Za-z0-9]{48,60}+" + END, 3),
    CredentialShape("api-key", "pplx-", rb"pplx-[A-Za-z0-9]{40,60}+" + END, 3),
    CredentialShape("api-key", "xai-", rb"xai-" + after(rb"xai-") + rb"[A-Za-z0-9]{70,90}+" + END, 4),
    CredentialShape("replicate-token", "r8_", rb"r8_" + after(rb"r8_") + rb"[A-Za-z0-9]{37}" + END, 4),
    CredentialShape("brevo-key", "xkeysib-", rb"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}", 4),
    CredentialShape("tailscale-key", "tskey-", rb"tskey-[a-z]{3,10}-[A-Za-z0-9-]{20,80}+", 3),
    CredentialShape("rubygems-key", "rubygems_", rb"rubygems_[a-f0-9]{48}" + END, 4),
    CredentialShape("dynatrace-token", "dt0c01.", rb"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}", 4),
    CredentialShape("onepassword-token", "ops_eyJ", rb"ops_eyJ[A-Za-z0-9_-]{100,4096}+", 4),
    CredentialShape("contentful-token", "CFPAT-", rb"CFPAT-[A-Za-z0-9_-]{43}", 4),
    CredentialShape("vault-token", "hvb. hvr.", rb"hv[br]\.[A-Za-z0-9_-]{24,300}+", 4),
    CredentialShape("telegram-token", ":AA", rb":AA(?<=[0-9]{8}:AA)[A-Za-z0-9_-]{33}" + END, 4, back=8),
    CredentialShape("mailgun-key", "key-", rb"key-" + after(rb"key-") + rb"[a-f0-9]{32}" + END, 4),
    CredentialShape("mailchimp-key", "-us", rb"-us(?<=[a-f0-9]{32}-us)[0-9]{1,2}" + END, 4, back=32),
    CredentialShape(
        "azure-secret",
        "7Q~ 8Q~ 9Q~",
        rb"[789]Q~(?<=[A-Za-z0-9_~.-]{3}[789]Q~)[A-Za-z0-9_~.-]{31,34}+",
        4,
        back=3,
    ),
    CredentialShape(
        "discord-token",
        "MT Mj Mz MD ND NT Nj Nz OD OT",
        # A user's number in base64, a time, and a code.
        rb"(?:M[TjzD]|N[DTjz]|O[DT])(?<![A-Za-z0-9_.-]..)[A-Za-z0-9_-]{22,28}+\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}+"
        + END,
        6,
    ),
    CredentialShape(
        "discord-webhook",
        "api/webhooks/",
        rb"api/webhooks/[0-9]{8,22}+/([A-Za-z0-9_-]{40,100}+)",
        4,
    ),
    CredentialShape("webhook", "office.com/webhook", rb"office\.com/webhook(?:b2)?/([A-Za-z0-9/@_-]{40,400}+)", 4),
)
"""Where two claim the same bytes, the first one names them."""
