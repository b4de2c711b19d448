/** The input of a batch, as a route uploads it. */
import { Files, type Ids } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"

/** Uploads an input; returns its id in its public form. */
export const uploadInput = ({ tenantId }: { readonly tenantId: Ids.AccountId }, text: string) =>
  Effect.gen(function* () {
    const files = yield* Files
    const writer = yield* files.open(tenantId)
    writer.add(new TextEncoder().encode(text))
    yield* writer.flush
    const file = { filename: "in.jsonl", size: writer.size, digest: yield* writer.end }
    const form = { fields: [["purpose", "batch"] as const], file }
    const { response } = yield* files.upload({ tenantId, plan: "pro", form, writer, idempotencyKey: null })
    return (JSON.parse(response.body) as { readonly id: string }).id
  }).pipe(Effect.scoped)
