/** Buttons at the end of a row. Where there is little room they are pictures, whose names stay. */
import { say } from "../frame/Say.ts"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icons.tsx"

export interface RowAction {
  readonly icon: IconName
  /** The visible word, which the name has in it. */
  readonly word: string
  readonly name: string
  readonly onPress: () => void
}

export const RowActions = ({ actions }: { readonly actions: ReadonlyArray<RowAction> }) => (
  <span className="flex min-w-0 justify-end gap-1 [&>button]:min-w-0">
    {actions.map(({ icon, name, onPress, word }) => (
      <Button key={word} isSmall look="quiet" writes aria-label={name} onPress={onPress}>
        <Icon name={icon} className="size-4 flex-none" />
        <span className="truncate max-lg:sr-only">{word}</span>
      </Button>
    ))}
  </span>
)

/** The column of the buttons, with room for `count` of them. */
export const actionsColumn = <Row,>(count: 1 | 2, of: (row: Row) => ReadonlyArray<RowAction>) => ({
  title: say("list.actions"),
  isTitleHidden: true,
  width: `min(${count * 7.5}rem, ${count * 12}vw)`,
  cell: (row: Row) => <RowActions actions={of(row)} />
})
