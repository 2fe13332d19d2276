/** What is wrong with a table's content. Thrown by the readers, and always caught at their edge as a bad read. */
export class TableProblem extends Error {}
