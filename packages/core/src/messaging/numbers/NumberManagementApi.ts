/** The contract of what the channel's network keeps of connected numbers. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { JsonObject } from "../messages/JsonObject.ts"
import { NumberBody, numberTexts } from "../routes/ConnectedNumbersApi.ts"
import { AccessToken, ofPlatform, PlatformId, passedPage } from "../routes/MessagingApi.ts"

const onePhone = { phone_id: Ids.schema<"Phone">() }

const Pin = Fields.text(6, 6).check(Schema.isPattern(/^\d{6}$/, { expected: "a PIN of six digits" }))

/** Where a customer may read more of a business. */
const Website = Fields.text(1, 256).check(
  Schema.makeFilter(
    (given: string) => /^https?:\/\/[^\s/]/i.test(given) || "Expected an address that begins with https:// or http://",
    { toJsonSchema: () => ({}) }
  )
)

export const ProfileChangeBody = Schema.Struct({
  about: Schema.optionalKey(Fields.text(1, 139)),
  address: Schema.optionalKey(Fields.text(0, 256)),
  description: Schema.optionalKey(Fields.text(0, 512)),
  email: Schema.optionalKey(Fields.text(0, 128)),
  websites: Schema.optionalKey(Schema.Array(Website).check(Schema.isMaxLength(2))),
  vertical: Schema.optionalKey(Fields.text(1, 64)),
  profile_picture_handle: Schema.optionalKey(Fields.text(1, 4096))
}).annotate({ identifier: "NumberProfileChange" })

const Profile = Schema.Struct({
  about: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  websites: Schema.NullOr(Schema.Array(Schema.String)),
  vertical: Schema.NullOr(Schema.String),
  profile_picture_url: Schema.NullOr(Schema.String)
}).annotate({ identifier: "NumberProfile" })

const Discovered = Schema.Struct({
  phone_number_id: Schema.String,
  display_phone_number: Schema.NullOr(Schema.String),
  verified_name: Schema.NullOr(Schema.String),
  quality_rating: Schema.NullOr(Schema.String),
  status: Schema.NullOr(Schema.String),
  connected: Schema.Boolean
}).annotate({ identifier: "DiscoveredNumber" })

export const DiscoverBody = Schema.Struct({ business_account_id: PlatformId, access_token: AccessToken }).annotate({
  identifier: "NumberSearch"
})

export const RegistrationBody = Schema.Struct({
  pin: Pin,
  data_localization_region: Fields.optional(
    Fields.text(2, 2).check(
      Schema.isPattern(/^[A-Z]{2}$/, { expected: "a country as two capital letters, such as DE" })
    )
  )
}).annotate({ identifier: "NumberRegistration" })

export const PinBody = Schema.Struct({ pin: Pin }).annotate({ identifier: "NumberPin" })

/** Phones, or ids of people at the channel. */
export const PeopleBody = Schema.Struct({
  users: Schema.Array(Fields.text(1, 512)).check(Schema.isMinLength(1), Schema.isMaxLength(1000))
}).annotate({ identifier: "BlockedPeopleChange" })

const Failed = Schema.Array(Schema.Struct({ input: Schema.String, code: Schema.NullOr(Schema.Int) }))
const Done = Schema.Array(Schema.Struct({ input: Schema.String, user_id: Schema.NullOr(Schema.String) }))

const failures = [...ofPlatform, Unprocessable] as const

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const routes = HttpApiGroup.make("numberManagement")
  .add(
    HttpApiEndpoint.post("discover", "/discover", {
      payload: DiscoverBody,
      success: Schema.Array(Discovered),
      error: failures
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        described(
          "Find the numbers of a business account",
          "Returns the numbers that the chat platform names for a business account, and stores nothing."
        )
      ),
    HttpApiEndpoint.post("refresh", "/:phone_id/refresh", { params: onePhone, success: NumberBody, error: failures })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        described("Read a number anew", "Asks the chat platform about a number and returns it with what it says.")
      ),
    HttpApiEndpoint.post("register", "/:phone_id/register", {
      params: onePhone,
      payload: RegistrationBody,
      success: NumberBody,
      error: failures
    })
      .annotate(NeedsScope, "channel:write")
      .annotate(ActsOutside, true)
      .annotateMerge(
        described("Register a number", "Registers a number at the chat platform, so that it can send and receive.")
      ),
    HttpApiEndpoint.post("deregister", "/:phone_id/deregister", {
      params: onePhone,
      success: NumberBody,
      error: failures
    })
      .annotate(NeedsScope, "channel:write")
      .annotate(ActsOutside, true)
      .annotateMerge(
        described("Deregister a number", "Ends the registration of a number at the chat platform; it stays connected.")
      ),
    HttpApiEndpoint.put("setPin", "/:phone_id/pin", { params: onePhone, payload: PinBody, error: failures })
      .annotate(NeedsScope, "channel:write")
      .annotate(ActsOutside, true)
      .annotateMerge(
        described("Set the PIN of a number", "Sets the PIN that the chat platform asks for at the next registration.")
      ),
    HttpApiEndpoint.get("profile", "/:phone_id/profile", { params: onePhone, success: Profile, error: failures })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        described("Get the profile of a number", "Returns what customers see of the business behind a number.")
      ),
    HttpApiEndpoint.patch("changeProfile", "/:phone_id/profile", {
      params: onePhone,
      payload: ProfileChangeBody,
      success: Profile,
      error: failures
    })
      .annotate(NeedsScope, "channel:write")
      .annotate(ActsOutside, true)
      .annotateMerge(
        described("Change the profile of a number", "Changes the fields that are there and leaves the others.")
      ),
    HttpApiEndpoint.get("blocked", "/:phone_id/blocked", {
      params: onePhone,
      query: passedPage,
      success: JsonObject.annotate({ identifier: "PlatformBlockedPeople" }),
      error: failures
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        described(
          "List blocked people",
          "Returns the people that a number has blocked, as the chat platform names them."
        )
      ),
    HttpApiEndpoint.post("block", "/:phone_id/blocked", {
      params: onePhone,
      payload: PeopleBody,
      success: Schema.Struct({ blocked: Done, failed: Failed }).annotate({ identifier: "BlockedPeople" }),
      error: failures
    })
      .annotate(NeedsScope, "channel:write")
      .annotate(ActsOutside, true)
      .annotateMerge(
        described(
          "Block people",
          "Blocks people on a number; the chat platform blocks only people who have written to it in the last 24 hours."
        )
      ),
    HttpApiEndpoint.delete("unblock", "/:phone_id/blocked", {
      params: onePhone,
      payload: PeopleBody,
      success: Schema.Struct({ unblocked: Done, failed: Failed }).annotate({ identifier: "UnblockedPeople" }),
      error: failures
    })
      .annotate(NeedsScope, "channel:write")
      .annotate(ActsOutside, true)
      .annotateMerge(described("Unblock people", "Lets people write to a number again who were blocked on it."))
  )
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "What the chat platform keeps of connected numbers")
  .annotate(BodyExamples, {
    discover: { business_account_id: "102290129340398", access_token: "EAAG…" },
    register: { pin: "482915" },
    setPin: { pin: "482915" },
    changeProfile: { about: "Open from nine to five", websites: ["https://example.com"] },
    block: { users: ["14155550123"] },
    unblock: { users: ["14155550123"] }
  })
  .annotate(FieldTexts, {
    "query.fields": "Fields to return, in the chat platform's words",
    "query.after": "Returns what follows this cursor of the chat platform",
    "query.before": "Returns what precedes this cursor of the chat platform",
    ...numberTexts,
    phone_number_id: "The chat platform's id of the number",
    business_account_id: "The chat platform's id of the business account",
    access_token: "Token for the chat platform; it is not stored",
    display_phone_number: "Phone number as people read it",
    pin: "Six digits, which are stored nowhere here",
    data_localization_region: "Country in which the chat platform keeps messages; null where it may choose",
    about: "A few words about the business",
    address: "Where the business is",
    description: "What the business does",
    email: "Where customers write to the business by email",
    websites: "At most two addresses of the business",
    vertical: "Line of business, in the chat platform's words",
    profile_picture_handle: "Handle of a picture that the chat platform has; it is never shown",
    profile_picture_url: "Where the chat platform shows the picture",
    connected: "Whether this account has connected the number",
    users: "Phone numbers, or the chat platform's ids of people",
    blocked: "Who is blocked now",
    unblocked: "Who may write again",
    failed: "Whom the chat platform has not blocked, or not let write again",
    input: "The person as the request named it",
    user_id: "The chat platform's id of the person",
    code: "The chat platform's code; null where it named none"
  })

const groupOf = ({ channel }: Brand) => routes.prefix(`/api/v1/${channel}/phone_numbers`)

/** By its name: the type of the whole contract would be too long for the compiler, if it had this one written out in it. */
export interface NumberManagementGroup extends ReturnType<typeof groupOf> {}

export const numberManagementGroup = (brand: Brand): NumberManagementGroup => groupOf(brand)
