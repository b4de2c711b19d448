/** The syntax tree of a file, for rules that text alone cannot check: functions with their lengths, services with their verbs, strings. */
import { parseAst } from "vitest/node"

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string"

const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))

const trees = new Map<string, Node>()

const parse = (text: string): Node => {
  const tree = trees.get(text) ?? (parseAst(text, { lang: "ts" }) as unknown as Node)
  trees.set(text, tree)
  return tree
}

const nameOf = (node: unknown): string | null => {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown }
  return typeof name === "string" ? name : typeof value === "string" ? value : null
}

/** The name that a node gives to the function below it; a test's function is named by its title. */
const nameGiven = (node: Node): string | null => {
  switch (node.type) {
    case "VariableDeclarator":
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return nameOf(node.id)
    case "MethodDefinition":
    case "PropertyDefinition":
    case "Property":
      return nameOf(node.key)
    case "CallExpression": {
      const [first] = node.arguments as ReadonlyArray<Node>
      return first?.type === "Literal" ? nameOf(first) : null
    }
    default:
      return null
  }
}

export interface FunctionLength {
  /** The nearest name around it. */
  readonly name: string
  /** Lines without those of the functions inside it. */
  readonly lines: number
}

const isFunction = (node: Node): boolean =>
  node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"

export const functionsOf = (text: string): ReadonlyArray<FunctionLength> => {
  const found: Array<FunctionLength> = []
  const linesOf = ({ end, start }: Node) => text.slice(start, end).split("\n").length
  /** Returns the lines of the functions directly below the node. */
  const walk = (node: Node, around: string): number => {
    const name = nameGiven(node) ?? around
    const inner = childrenOf(node).reduce((sum, child) => sum + walk(child, name), 0)
    if (!isFunction(node)) return inner
    const all = linesOf(node)
    found.push({ name, lines: all - inner })
    // A function of one line stands on a line of the outer one.
    return all > 1 ? all : 0
  }
  walk(parse(text), "")
  return found
}

export interface Port {
  readonly name: string
  readonly verbs: number
}

/** The services that a file declares as `class X extends Context.Service<X, { … }>()`, with how many members each has. */
export const portsOf = (text: string): ReadonlyArray<Port> => {
  const tree = parse(text)
  const shapes = new Map<string, number>()
  const ports: Array<Port> = []
  const membersOf = (shape: Node | undefined): number => {
    if (shape?.type === "TSTypeLiteral") return (shape.members as ReadonlyArray<unknown>).length
    return shape?.type === "TSTypeReference" ? (shapes.get(nameOf(shape.typeName) ?? "") ?? 0) : 0
  }
  const collect = (node: Node): void => {
    if (node.type === "TSInterfaceDeclaration") {
      shapes.set(nameOf(node.id) ?? "", ((node.body as Node).body as ReadonlyArray<unknown>).length)
    }
    childrenOf(node).forEach(collect)
  }
  const walk = (node: Node): void => {
    if (node.type === "ClassDeclaration" && isNode(node.superClass)) {
      const made = (node.superClass as Node).callee as Node | undefined
      const [, shape] = ((made?.typeArguments as Node | undefined)?.params ?? []) as ReadonlyArray<Node>
      if (made !== undefined && text.slice(made.start, made.end).startsWith("Context.Service")) {
        ports.push({ name: nameOf(node.id) ?? "", verbs: membersOf(shape) })
      }
    }
    childrenOf(node).forEach(walk)
  }
  collect(tree)
  walk(tree)
  return ports
}

/** A string without the values in it; null where the node is no string. */
const textOf = (node: Node | undefined): string | null => {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : null
  if (node?.type !== "TemplateLiteral") return null
  return (node.quasis as ReadonlyArray<{ readonly value: { readonly cooked: string } }>)
    .map(({ value }) => value.cooked)
    .join(" … ")
}

const collect = (text: string, pick: (node: Node) => string | null): ReadonlyArray<string> => {
  const walk = (node: Node): ReadonlyArray<string> => {
    const own = pick(node)
    return [...(own === null ? [] : [own]), ...childrenOf(node).flatMap(walk)]
  }
  return walk(parse(text))
}

/** Every string of a file that has words in it. */
export const sentencesOf = (text: string): ReadonlyArray<string> =>
  collect(text, (node) => {
    const found = textOf(node)
    return found?.includes(" ") ? found : null
  })

const calleeOf = (node: Node): string | null => {
  const inner = (node.callee ?? node.object) as Node | undefined
  return inner === undefined ? nameOf(node) : calleeOf(inner)
}

/** The titles of tests and of their groups: `it("…", …)`, `describe.each(…)("…", …)`, and a helper's `scenario("…", function…)`. */
export const titlesOf = (text: string): ReadonlyArray<string> =>
  collect(text, (node) => {
    if (node.type !== "CallExpression") return null
    const [first, ...others] = node.arguments as ReadonlyArray<Node>
    const isTest = ["it", "test", "describe"].includes(calleeOf(node) ?? "") || others.some(isFunction)
    return isTest ? textOf(first) : null
  })
