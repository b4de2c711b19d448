/** The contract of single sign-on: a browser goes there, and is sent on. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import { RequestErrors } from "../http/PlatformErrors.ts"
import { OwnPagesOnly } from "../people/index.ts"

const SentOn = HttpApiSchema.Empty(302)

export const oidcGroup = HttpApiGroup.make("oidc")
  .add(
    HttpApiEndpoint.get("start", "/", {
      query: { return: Schema.optionalKey(Schema.String) },
      success: SentOn
    })
      .middleware(OwnPagesOnly)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Sign in at the issuer",
          description:
            "Sends a browser to the OpenID Connect issuer of the installation, which sends it back to the callback."
        })
      ),
    HttpApiEndpoint.get("callback", "/callback", { success: SentOn }).annotateMerge(
      OpenApi.annotations({
        summary: "Come back from the issuer",
        description:
          "Checks what the issuer has answered, begins a session and sends the browser to the page; where anything is wrong the page says so, and nobody is signed in."
      })
    )
  )
  .prefix("/api/v1/session/oidc")
  .middleware(RequestErrors)
  .annotate(OpenApi.Description, "Signing in with OpenID Connect")
  .annotate(FieldTexts, {
    "query.return": "Place of the page to come back to, such as `#/campaigns`; anything else is dropped"
  })
