/** A document in memory with the few functions that the renderer of the player uses. */
export class MemoryNode {
  readonly nodeName: string
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml'
  readonly ownerDocument = {
    createTextNode: (text: string) => new MemoryNode('#text', text),
    createElementNS: (_space: string, name: string) => new MemoryNode(name),
  }
  readonly attributes = new Map<string, string>()
  childNodes: MemoryNode[] = []
  parentNode: MemoryNode | undefined
  data: string

  constructor(nodeName: string, data = '') {
    this.nodeName = nodeName
    this.data = data
  }

  get nodeValue(): string | null {
    return this.nodeName === '#text' ? this.data : null
  }

  get firstChild(): MemoryNode | null {
    return this.childNodes[0] ?? null
  }

  get textContent(): string {
    return this.data + this.childNodes.map((child) => child.textContent).join('')
  }

  set textContent(text: string) {
    for (const child of this.childNodes) child.parentNode = undefined
    this.childNodes = []
    if (text) this.insertBefore(new MemoryNode('#text', text), null)
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name)
  }

  remove(): void {
    if (!this.parentNode) return
    const { childNodes } = this.parentNode
    childNodes.splice(childNodes.indexOf(this), 1)
    this.parentNode = undefined
  }

  insertBefore(node: MemoryNode, next: MemoryNode | null): void {
    node.remove()
    const place = next ? this.childNodes.indexOf(next) : this.childNodes.length
    if (place < 0) throw new Error('NotFoundError')
    this.childNodes.splice(place, 0, node)
    node.parentNode = this
  }

  /** Returns the markup of the children. */
  get innerHTML(): string {
    return this.childNodes
      .map(({ nodeName, data, attributes, innerHTML }) => {
        if (nodeName === '#text') return data
        if (nodeName === '#comment') return '<!-- -->'
        const pairs = [...attributes].toSorted().map(([name, value]) => ` ${name}="${value}"`)
        return `<${nodeName}${pairs.join('')}>${innerHTML}</${nodeName}>`
      })
      .join('')
  }
}

/** Returns an empty element, typed as the renderer expects it. */
export const createMemoryElement = (): MemoryNode & Element =>
  new MemoryNode('main') as unknown as MemoryNode & Element
