/** Width of one lane of arrows in the gutter, in pixels. */
export const LANE_WIDTH_PX = 5
/** Length of the tip of an arrow, in pixels. */
export const ARROW_TIP_PX = 4
