/** The creator's application. Its page runs under a policy that allows no inline script or style. */
declare const _default: import("vite").UserConfig;
export default _default;
