/** The contract of analyses of voice sessions. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { InferenceAuth } from "../../gateway/admission/index.ts"
import { InferenceRequestErrors, inferenceEnvelope, refusedBy } from "../../gateway/errors/index.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { AnalysisBody, analysisTexts } from "../sessions/index.ts"

export const voiceAnalysisGroup = HttpApiGroup.make("voiceAnalyses")
  .add(
    HttpApiEndpoint.post("analyse", "/:session_id/analysis", {
      params: { session_id: Ids.schema<"VoiceSession">() },
      success: AnalysisBody.pipe(HttpApiSchema.status(202)),
      error: refusedBy(404, 409)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Analyse a voice session",
        description: "Starts an analysis of a session that has ended, also again; the result is shown with the session."
      })
    )
  )
  .prefix("/v1/voice/sessions")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "What a model finds out about voice sessions that have ended")
  .annotate(FieldTexts, analysisTexts)
