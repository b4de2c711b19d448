/** Reads what the platform says of templates: what it does not say, or says otherwise, is missing. Pure. */
import { isObject, type JsonObject, type TemplateFacts } from "@trunkline/core/provider"
import { idOf, listOf, objectOf, textOf } from "./PlatformValues.ts"

const factsIn = (given: JsonObject): ReadonlyArray<TemplateFacts> => {
  const id = idOf(given.id)
  if (id === null) return []
  return [
    {
      id,
      name: textOf(given.name),
      language: textOf(given.language),
      status: textOf(given.status),
      category: textOf(given.category),
      quality: textOf(objectOf(given.quality_score).score),
      components: Array.isArray(given.components) ? given.components.filter(isObject) : null
    }
  ]
}

/** Of what lists name: those of exactly this name, although the platform lists all whose names have it in them. */
export const namedIn = (name: string, listed: ReadonlyArray<unknown>): ReadonlyArray<TemplateFacts> =>
  listed
    .map(objectOf)
    .flatMap(factsIn)
    .filter((one) => one.name === name)

/** Of a page of a list. */
export const templatesIn = (answer: JsonObject): ReadonlyArray<TemplateFacts> =>
  listOf(answer.data).map(objectOf).flatMap(factsIn)

/** Of one template. */
export const templateIn = (answer: JsonObject): ReadonlyArray<TemplateFacts> => factsIn(answer)

/** The answer to a new template names its id, status and category; the rest is what was sent. */
export const createdIn = (template: JsonObject, answer: JsonObject): ReadonlyArray<TemplateFacts> =>
  factsIn({ ...template, ...answer })
