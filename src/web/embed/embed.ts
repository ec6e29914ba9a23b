/**
 * Script that other sites load next to a quiz (docs/embedding.md). Resizes frames, passes `utm_` parameters to them, opens
 * quizzes in dialogs and dispatches the events of a run. Sets styles through the CSSOM, because strict content security
 * policies allow the CSSOM.
 */
/** Origin of the installation, which the server writes into the file because optimisers copy and merge scripts. */
declare const SITE_ORIGIN: string

;(() => {
  const current = document.currentScript
  // An image of the page with the name `currentScript` takes the place of the script.
  const script = current instanceof HTMLScriptElement ? current : null
  // An inlined script has no address. A copied or merged script has the address of another site.
  const { origin, pathname, searchParams } = new URL(script?.src || SITE_ORIGIN)
  // The first id or slug in the text; `..` would lead out of `/q/`.
  const [quiz] = /[\w-]+/.exec(searchParams.get('quiz') ?? '') ?? []
  if (script && quiz && /\/embed\.js$/.test(pathname)) {
    // Tag managers remove `data-*` attributes of scripts, but keep the address.
    script.dataset.quizaine = `${SITE_ORIGIN}/q/${quiz}?embed=1`
    const [open, title] = [searchParams.get('open'), searchParams.get('title')]
    if (open) script.dataset.quizaineOpen = open
    if (title) script.title = title
  }
  if (script && searchParams.has('datalayer')) script.dataset.quizaineDatalayer = ''
  const utmParameters = location.search.match(/\butm_[^&]*/g)?.join('&') ?? ''
  const shared = window as unknown as Record<
    string,
    ((loaded_from: string) => void) | unknown[] | undefined
  >
  const first = shared[`quizaine ${SITE_ORIGIN}`]
  const loaded_from = pathname === '/embed.js' ? origin : SITE_ORIGIN
  // A page may load this script several times. Later copies only look for new triggers.
  if (typeof first === 'function') return first(loaded_from)

  /** Origins of the installation, which may have several addresses. */
  const origins = [SITE_ORIGIN]
  const isOurs = (address: string): boolean =>
    origins.some((candidate) => address.startsWith(`${candidate}/`))

  const make = <Name extends keyof HTMLElementTagNameMap>(name: Name) =>
    document.createElement(name)
  /** Returns the address of the quiz that an element opens; undefined if it belongs to another installation. */
  const addressOf = ({ dataset: { quizaine } }: HTMLElement): string | undefined =>
    quizaine && isOurs(quizaine) ? quizaine : undefined

  addEventListener('message', ({ data, origin: from, source }) => {
    // Frames without `allow-same-origin` have the origin « null ».
    const isSandboxed = from === 'null'
    const content = (isSandboxed || isOurs(`${from}/`)) && data?.quizaine
    if (!content) return
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow !== source || (isSandboxed && !isOurs(frame.src))) continue
      // The parameters are sent after every message, because a frame may have been loaded again.
      ;(source as Window).postMessage({ quizaine: utmParameters }, isSandboxed ? '*' : from)
      if (Number.isInteger(content)) frame.style.height = `${Math.min(content, 2e4)}px`
      if (content === 'close') frame.closest('dialog')?.close()
      // An object may have no text.
      if (typeof content !== 'string') continue
      const [, step, quiz, rank] =
        /^(start|page|finish) ([\da-f-]{36}) (\d{0,4})$/.exec(content) ?? []
      if (!step) continue
      const event = `quizaine:${step}`
      const detail = { quiz, rank: rank ? Number(rank) : null }
      frame.dispatchEvent(new CustomEvent(event, { bubbles: true, detail }))
      if (!document.querySelector('[data-quizaine-datalayer]')) continue
      shared.dataLayer ??= []
      if (Array.isArray(shared.dataLayer)) shared.dataLayer.push({ event, ...detail })
    }
  })

  /** Addresses that were opened in this page, for browsers without storage. */
  const opened: string[] = []
  const wasOpened = (address: string): boolean => {
    try {
      return !!sessionStorage[`quizaine:${address}`]
    } catch {
      return opened.includes(address)
    }
  }

  const open = (opener: HTMLElement, address: string): void => {
    opened.push(address)
    try {
      sessionStorage[`quizaine:${address}`] = 1
    } catch {
      // The trigger then opens once for each page instead of once for each tab.
    }
    const dialog = make('dialog')
    const close = make('button')
    const frame = make('iframe')
    close.textContent = 'Fermer'
    frame.title =
      opener.getAttribute('aria-label') ||
      opener.textContent.trim() ||
      opener.title ||
      'Questionnaire'
    dialog.setAttribute('aria-label', frame.title)
    frame.src = address
    close.style.cssText = 'min-height:3rem;position:sticky;top:0'
    // A fixed top margin keeps the close button under the pointer while the height changes.
    dialog.style.cssText = 'width:min(44rem,94vw);margin:5vh auto'
    frame.style.cssText = 'display:block;width:100%;height:70vh;border:0'
    close.onclick = () => dialog.close()
    // Safari before 15.4 has no dialogs; the quiz then opens in a tab.
    if (!dialog.showModal) {
      window.open(address)
      return
    }
    dialog.append(close, frame)
    document.body.append(dialog)
    dialog.showModal?.()
    // The site must not scroll behind the dialog, and keeps its width without its scroll bar.
    const { style, clientWidth } = document.documentElement
    const { overflow, paddingRight } = style
    if (innerWidth > clientWidth) style.paddingRight = `${innerWidth - clientWidth}px`
    style.overflow = 'hidden'
    dialog.onclose = () => {
      dialog.remove()
      Object.assign(style, { overflow, paddingRight })
    }
  }

  addEventListener('click', (event) => {
    // The target can be the document, which has no `closest`.
    const target = event.target as Partial<HTMLElement>
    const opener = target.closest?.<HTMLElement>('[data-quizaine]')
    const address = opener && addressOf(opener)
    if (event.defaultPrevented || !address) return
    event.preventDefault()
    open(opener, address)
  })

  /** Shows a button in the corner of the window: the element itself, or a new one for a script or an empty element. */
  const pin = (opener: HTMLElement, address: string): void => {
    let button = opener
    if (opener.tagName === 'SCRIPT' || !opener.innerHTML.trim()) {
      button = make('button')
      button.textContent = opener.title || 'Questionnaire'
      button.dataset.quizaine = address
      document.body.append(button)
    }
    button.style.cssText +=
      ';position:fixed;bottom:1rem;right:1rem;z-index:9999;min-height:3rem;padding:0 1.25rem;border:2px solid #fff;border-radius:2rem;background:#222;color:#fff;font:1rem system-ui'
  }

  const armed = new Set<HTMLElement>()
  const arm = (loaded_from: string): void => {
    origins.push(loaded_from)
    for (const opener of document.querySelectorAll<HTMLElement>('[data-quizaine-open]')) {
      const address = addressOf(opener)
      if (!address || armed.has(opener)) continue
      armed.add(opener)
      /** Opens the dialog unless it was opened in this tab. Returns false while the visitor is busy, to be called again. */
      const tryToOpen = (): boolean => {
        if (wasOpened(address)) return true
        if (
          document.hidden ||
          document.querySelector('dialog[open]') ||
          document.activeElement?.matches('input,textarea,select,iframe,[contenteditable]')
        )
          return false
        open(opener, address)
        return true
      }
      const repeat = (): void => {
        if (!tryToOpen()) setTimeout(repeat, 1e3)
      }
      for (const trigger of `${opener.dataset.quizaineOpen}`.split(/\s+/)) {
        const [, kind, text] = /^(delay|scroll):(\d{1,4})$/.exec(trigger) ?? []
        const value = Number(text)
        if (kind === 'delay') setTimeout(repeat, value * 1e3)
        else if (kind && value > 0 && value <= 100)
          addEventListener('scroll', () => {
            const { scrollHeight } = document.documentElement
            if ((scrollY / (scrollHeight - innerHeight)) * 100 >= value) tryToOpen()
          })
        else if (trigger === 'exit')
          document.addEventListener('mouseout', ({ clientY, relatedTarget }) => {
            if (!relatedTarget && clientY <= 0) tryToOpen()
          })
        else if (trigger === 'corner') pin(opener, address)
        else console.warn(`Ignored data-quizaine-open="${trigger}"`)
      }
    }
  }
  shared[`quizaine ${SITE_ORIGIN}`] = arm
  const armThis = (): void => arm(loaded_from)
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', armThis)
  else armThis()
})()
