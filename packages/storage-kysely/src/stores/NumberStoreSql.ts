/** Caller numbers and voicemail templates in SQL. */
import { NumberStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, count, insert, put, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { page, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type CallerNumber = Database["phoneNumbers"]
type Template = Database["voicemailTemplates"]
type OfTenant = Pick<CallerNumber, "tenantId">
type Paged = OfTenant & { limit: number; offset: number }

const findNumber = statement<Pick<CallerNumber, "tenantId" | "id">>("numbers.find")((db, value) =>
  db
    .selectFrom("phoneNumbers")
    .select(fieldsOf("phoneNumbers"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const firstNumber = statement<OfTenant>("numbers.first")((db, value) =>
  db
    .selectFrom("phoneNumbers")
    .select(fieldsOf("phoneNumbers"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id")
    .limit(1)
)

const listNumbers = page<Paged>("numbers.list")((db, value) =>
  db
    .selectFrom("phoneNumbers")
    .select(fieldsOf("phoneNumbers"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countNumbers = statement<OfTenant>("numbers.count")((db, value) =>
  db
    .selectFrom("phoneNumbers")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
)

const removeNumber = statement<Pick<CallerNumber, "tenantId" | "id">>("numbers.remove")((db, value) =>
  db.deleteFrom("phoneNumbers").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const saveTemplate = statement<Template>("templates.save")((db, template) =>
  db
    .updateTable("voicemailTemplates")
    .set(changesOf("voicemailTemplates", template, ["id", "tenantId", "createdAt"]))
    .where("id", "=", template.id)
    .where("tenantId", "=", template.tenantId)
)

const findTemplate = statement<Pick<Template, "tenantId" | "id">>("templates.find")((db, value) =>
  db
    .selectFrom("voicemailTemplates")
    .select(fieldsOf("voicemailTemplates"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
)

const listTemplates = page<Paged>("templates.list")((db, value) =>
  db
    .selectFrom("voicemailTemplates")
    .select(fieldsOf("voicemailTemplates"))
    .where("tenantId", "=", value.tenantId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countTemplates = statement<OfTenant>("templates.count")((db, value) =>
  db
    .selectFrom("voicemailTemplates")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
)

const removeTemplate = statement<Pick<Template, "tenantId" | "id">>("templates.remove")((db, value) =>
  db.deleteFrom("voicemailTemplates").where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

export const layer = Layer.succeed(NumberStore, {
  putNumber: (number) => put("phoneNumbers", ["id"], [number]),
  findNumber: (tenantId, id) => row(findNumber, { tenantId, id }),
  firstNumber: (tenantId) => row(firstNumber, { tenantId }),
  listNumbers: (tenantId, page) => rows(listNumbers, { tenantId, ...page }),
  countNumbers: (tenantId) => count(countNumbers, { tenantId }),
  removeNumber: (tenantId, id) => changed(removeNumber, { tenantId, id }),
  addTemplate: (template) => insert("voicemailTemplates", [template]),
  saveTemplate: (template) => Effect.asVoid(write(saveTemplate, template)),
  findTemplate: (tenantId, id) => row(findTemplate, { tenantId, id }),
  listTemplates: (tenantId, page) => rows(listTemplates, { tenantId, ...page }),
  countTemplates: (tenantId) => count(countTemplates, { tenantId }),
  removeTemplate: (tenantId, id) => changed(removeTemplate, { tenantId, id })
})
