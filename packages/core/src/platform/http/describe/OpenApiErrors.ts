/** The error responses of the OpenAPI document, from the envelopes that its groups declare. Pure. */
import type { Brand } from "../../brand/index.ts"
import type { ErrorEnvelope, ErrorResponse } from "../ErrorEnvelope.ts"
import { errorHeader } from "../engine/index.ts"
import { componentsIn, describeFields } from "./FieldTexts.ts"
import { named } from "./OpenApiHeaders.ts"
import { type Json, mapped, reference } from "./OpenApiRepairs.ts"

/** Names of the components of error bodies, by those that the generator gives them. */
export const bodyNames = (envelopes: ReadonlyArray<ErrorEnvelope>): ReadonlyMap<string, string> =>
  new Map(
    envelopes.flatMap(({ bodies }) =>
      bodies.flatMap(({ classes = [], name }) =>
        classes.map(({ identifier }) => [`${identifier}Encoded`, name] as const)
      )
    )
  )

/** Error bodies with descriptions of their fields. */
export const describeBodies = (
  schemas: Readonly<Record<string, Json>>,
  envelopes: ReadonlyArray<ErrorEnvelope>
): Record<string, Json> => {
  const fields = new Map(envelopes.flatMap(({ bodies }) => bodies.map((body) => [body.name, body.fields] as const)))
  return mapped(schemas, (schema, name) => {
    const texts = fields.get(name)
    return texts === undefined ? schema : (describeFields(schema, name, texts) as Json)
  })
}

const schemaOf = (names: ReadonlyArray<string>): Json => {
  const schemas = names.map((name) => reference("schemas", name))
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

const bodiesOf = ({ bodies }: ErrorResponse, envelope: ErrorEnvelope): ReadonlyArray<string> =>
  bodies ?? [envelope.bodies[0]!.name]

/** The responses of all envelopes, as components. */
export const responsesOf = (
  envelopes: ReadonlyArray<ErrorEnvelope>,
  { headerPrefix }: Pick<Brand, "headerPrefix">
): Json =>
  Object.fromEntries(
    envelopes.flatMap((envelope) =>
      envelope.responses.map((response) => [
        `${envelope.prefix}${response.name}`,
        {
          description: response.description,
          headers: named(
            "X-Request-Id",
            ...(envelope.isPlatform ? [errorHeader(headerPrefix)] : []),
            ...envelope.headers,
            ...(response.header === undefined ? [] : [response.header])
          ),
          content: { "application/json": { schema: schemaOf(bodiesOf(response, envelope)) } }
        }
      ])
    )
  )

/** The component for a status: of several the one with the bodies that the route declares. */
export const errorReference = (envelope: ErrorEnvelope, status: string, declared: unknown): Json => {
  const candidates = envelope.responses.filter((response) => response.status === Number(status))
  const names = componentsIn(declared).map((component) => component.replace(/^\w+\//, ""))
  const meant = candidates.find((response) => {
    const bodies = bodiesOf(response, envelope)
    return bodies.length === names.length && bodies.every((name) => names.includes(name))
  })
  const found = meant ?? candidates[0]
  // A status that one route alone has, stands as the route declares it.
  return found === undefined ? (declared as Json) : reference("responses", `${envelope.prefix}${found.name}`)
}
