import type { PathCommand } from 'opentype.js'

type Point = { x: number; y: number }

/** Straight pieces to a curve: at these sizes more cannot be seen. */
const PIECES = 10
/** Less would change no byte. */
const LEAST_SHARE = 1 / 512

/** A picture in memory: three bytes a pixel. */
export type Canvas = {
  width: number
  height: number
  pixels: Uint8Array
  /** Fills closed outlines with a #rrggbb colour; the edges are smoothed. */
  fill: (outline: readonly PathCommand[], color: string) => void
}

const channelsOf = (color: string): [number, number, number] => {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]
}

/** A canvas of one colour. */
export const createCanvas = (width: number, height: number, color: string): Canvas => {
  const pixels = new Uint8Array(width * height * 3)
  const ground = channelsOf(color)
  for (let at = 0; at < pixels.length; at++) pixels[at] = ground[at % 3] ?? 0
  const fill = (outline: readonly PathCommand[], ink: string): void => {
    // A row is one longer than the picture: an edge may stand at its very end.
    const stride = width + 2
    const area = new Float32Array(stride * height)
    const rows = { first: height, end: 0 }
    eachEdge(outline, (from, to) => {
      rows.first = Math.min(rows.first, Math.max(0, Math.floor(Math.min(from.y, to.y))))
      rows.end = Math.max(rows.end, Math.min(height, Math.ceil(Math.max(from.y, to.y))))
      addEdge(area, { width, height, stride, from, to })
    })
    const channels = channelsOf(ink)
    for (let row = rows.first; row < rows.end; row++) {
      let covered = 0
      for (let column = 0; column < width; column++) {
        covered += area[row * stride + column] ?? 0
        const share = Math.min(1, Math.abs(covered))
        if (share < LEAST_SHARE) continue
        const at = (row * width + column) * 3
        for (let channel = 0; channel < 3; channel++) {
          const below = pixels[at + channel] ?? 0
          pixels[at + channel] = Math.round(below + ((channels[channel] ?? 0) - below) * share)
        }
      }
    }
  }
  return { width, height, pixels, fill }
}

const eachEdge = (
  outline: readonly PathCommand[],
  visit: (from: Point, to: Point) => void,
): void => {
  let start: Point = { x: 0, y: 0 }
  let from: Point = start
  const lineTo = (to: Point): void => {
    visit(from, to)
    from = to
  }
  for (const command of outline) {
    if (command.type === 'Z') lineTo(start)
    else if (command.type === 'Q' || command.type === 'C') {
      const bend = bendOf(from, command)
      for (let piece = 1; piece <= PIECES; piece++) lineTo(bend(piece / PIECES))
    } else if (command.type === 'M') {
      lineTo(start)
      start = { x: command.x, y: command.y }
      from = start
    } else lineTo({ x: command.x, y: command.y })
  }
  lineTo(start)
}

/** A quadratic curve is the cubic one whose handles reach two thirds of the way to its own. */
const bendOf = (from: Point, curve: Extract<PathCommand, { type: 'Q' | 'C' }>) => {
  const to = { x: curve.x, y: curve.y }
  const first = { x: curve.x1, y: curve.y1 }
  const second = curve.type === 'C' ? { x: curve.x2, y: curve.y2 } : first
  const share = curve.type === 'C' ? 1 : 2 / 3
  const toward = (end: Point, handle: Point): Point => ({
    x: end.x + (handle.x - end.x) * share,
    y: end.y + (handle.y - end.y) * share,
  })
  const [one, two] = [toward(from, first), toward(to, second)]
  return (t: number): Point => {
    const rest = 1 - t
    const [a, b, c, d] = [rest ** 3, 3 * rest ** 2 * t, 3 * rest * t ** 2, t ** 3]
    return {
      x: a * from.x + b * one.x + c * two.x + d * to.x,
      y: a * from.y + b * one.y + c * two.y + d * to.y,
    }
  }
}

type Edge = { width: number; height: number; stride: number; from: Point; to: Point }

/**
 * Adds what an edge covers to its right, row by row: the sum of a row from its left is then the share
 * of each pixel that lies inside.
 */
const addEdge = (area: Float32Array, { width, height, stride, from, to }: Edge): void => {
  if (from.y === to.y) return
  const direction = from.y < to.y ? 1 : -1
  const [top, bottom] = from.y < to.y ? [from, to] : [to, from]
  const slope = (bottom.x - top.x) / (bottom.y - top.y)
  const last = Math.min(height, Math.ceil(bottom.y))
  for (let row = Math.max(0, Math.floor(top.y)); row < last; row++) {
    const [upper, lower] = [Math.max(row, top.y), Math.min(row + 1, bottom.y)]
    if (lower <= upper) continue
    const ends = [upper, lower].map((y) => top.x + (y - top.y) * slope)
    const inside = ends.map((x) => Math.min(Math.max(x, 0), width))
    const [left = 0, right = 0] = inside.toSorted((a, b) => a - b)
    addRow(area, row * stride, { left, right, amount: direction * (lower - upper) })
  }
}

/** Spreads an edge that goes from `left` to `right` within one row over the pixels it crosses. */
const addRow = (
  area: Float32Array,
  row: number,
  { left, right, amount }: { left: number; right: number; amount: number },
): void => {
  const add = (column: number, value: number): void => {
    area[row + column] = (area[row + column] ?? 0) + value
  }
  const first = Math.floor(left)
  const end = Math.max(Math.ceil(right), first + 1)
  let before = 0
  for (let column = first; column < end; column++) {
    // How much of this pixel lies to the right of the edge.
    const covered = coveredIn(column, left, right)
    add(column, amount * (covered - before))
    before = covered
  }
  add(end, amount * (1 - before))
}

/** The share of a column's pixel that is right of an edge which crosses from `left` to `right`. */
const coveredIn = (column: number, left: number, right: number): number => {
  if (right - left < 1e-6) return Math.min(1, Math.max(0, column + 1 - left))
  /** The share of the edge that is left of x, summed up to x. */
  const passed = (x: number): number => {
    const clamped = Math.min(Math.max(x, left), right)
    return (clamped - left) ** 2 / (2 * (right - left)) + Math.max(0, x - right)
  }
  return passed(column + 1) - passed(column)
}
