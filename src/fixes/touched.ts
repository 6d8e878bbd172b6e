/** Annotation that makes a controller look at an object again; its value is the time at which the fleet was read. */
export const TOUCHED = 'fleetctl.io/touched'
