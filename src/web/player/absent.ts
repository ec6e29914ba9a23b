/** In the script of a plain page (domain/visitor-snapshot.ts): stands for the parts that such a page never shows. */
const nothing = (): null => null

export const createLeading = () => ({
  isLeading: nothing,
  begin: nothing,
  leave: nothing,
  stay: nothing,
})

export {
  nothing as drawBlocks,
  nothing as fillAddress,
  nothing as fillInsertions,
  nothing as fillRichText,
  nothing as insertionsOf,
  nothing as Ahead,
  nothing as Detail,
  nothing as Logo,
  nothing as Picture,
  nothing as resultDetail,
  nothing as Welcome,
}
