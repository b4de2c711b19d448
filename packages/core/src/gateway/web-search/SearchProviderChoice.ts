/** Which provider a search goes to, and which requests are refused before it. Pure. Source: docs/reference/search.md#provider. */
import * as Result from "effect/Result"
import type { ApiKeys } from "../../platform/accounts/index.ts"
import { Wire } from "../../platform/kernel/index.ts"
import * as Admission from "../admission/Admission.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import type { SearchProvider } from "./SearchProvider.ts"
import { hasOption, lackedOption, type SearchRequest } from "./SearchRequest.ts"

/** Null for people. */
export type SearchKey = Pick<ApiKeys.ApiKey, "searchProviders"> | null

/** Of the providers, the standard one first, the one that a request goes to: known, allowed to the key, able, in this order. Null where none is configured. */
export const chooseSearchProvider = (
  providers: ReadonlyArray<SearchProvider>,
  key: SearchKey,
  request: SearchRequest
): Result.Result<SearchProvider | null, InferenceRefused> => {
  const allowed = providers.filter(({ name }) => Admission.mayUseSearchProvider(key, name))
  const chosen = request.provider === null ? unnamed(allowed, key) : named(request.provider, providers, allowed)
  return Result.flatMap(chosen, (provider) =>
    provider === null ? Result.succeed(null) : able(provider, allowed, request)
  )
}

const named = (name: string, providers: ReadonlyArray<SearchProvider>, allowed: ReadonlyArray<SearchProvider>) => {
  const isNamed = (one: SearchProvider) => one.name === name
  const found = allowed.find(isNamed)
  if (found !== undefined) return Result.succeed(found)
  return Result.fail(
    providers.some(isNamed)
      ? refuse("search_provider_not_allowed", {
          message: `This API key may not use the search provider ${name}.`,
          param: "provider"
        })
      : refuse("not_found", { message: `There is no search provider ${name}.`, param: "provider" })
  )
}

const unnamed = (
  [first]: ReadonlyArray<SearchProvider>,
  key: SearchKey
): Result.Result<SearchProvider | null, InferenceRefused> =>
  first === undefined && key?.searchProviders != null
    ? Result.fail(
        refuse("search_provider_not_allowed", { message: "This API key may use none of the search providers." })
      )
    : Result.succeed(first ?? null)

const able = (provider: SearchProvider, allowed: ReadonlyArray<SearchProvider>, request: SearchRequest) => {
  const option = lackedOption(provider.traits, request)
  if (option === null) return Result.succeed(provider)
  const field = Wire.snakeName(option)
  const value = request[option]
  const asked = provider.traits[option] === undefined || typeof value !== "string" ? field : `${field} ${value}`
  const others = allowed.filter(({ traits }) => hasOption(traits, option, request)).map(({ name }) => name)
  const instead = others.length === 0 ? "No provider here does." : `These providers do: ${others.join(", ")}.`
  return Result.fail(
    refuse("invalid_request", {
      message: `The search provider ${provider.name} does not support ${asked}. ${instead}`,
      param: field
    })
  )
}
