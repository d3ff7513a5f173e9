// Where a line of figures may break: after a comma or a dot between facts, and before a bracket, but not within a
// figure. Pure.

/** "82 % (69–90), 41 of 1,000" -> "82 %", "(69–90),", "41 of 1,000". Joined by spaces they are the text. */
export const toFigureParts = (text: string): readonly string[] => text.split(/(?<=[,·]) | (?=\()/u);
