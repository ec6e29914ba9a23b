/** Smallest number of dimensions that a radar chart can show. */
export const MIN_RADAR_AXES = 3
/** Percentages at which a radar chart has a ring. */
export const RADAR_RINGS = [25, 50, 75, 100]
/** Area of a radar chart as an SVG view box. A percentage is the distance from the centre in its units. */
export const RADAR_VIEW_BOX = '-130 -130 260 260'
/** Distance of the numbers of the axes from the centre. */
export const RADAR_LABELS_AT = 116

const round = (length: number): number => Math.round(length * 10) / 10

/** Returns the point of an axis at a percentage. The first axis points up, and the others follow clockwise. */
export const radarPoint = (
  axis: number,
  nb_axes: number,
  percent: number,
): [x: number, y: number] => {
  const angle = (2 * Math.PI * axis) / nb_axes
  return [round(percent * Math.sin(angle)), round(-percent * Math.cos(angle))]
}

/** Returns the points of a polygon with one percentage for each axis, as SVG writes them. */
export const radarPolygon = (percents: readonly number[]): string =>
  percents.map((percent, axis) => radarPoint(axis, percents.length, percent).join(',')).join(' ')
