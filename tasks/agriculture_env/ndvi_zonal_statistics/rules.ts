/** The rules of the instruction as numbers: stated there, used by oracle and generator alike. */
export const rules = {
  /** Classes that make a pixel invalid. */
  invalidClasses: [0, 1, 3, 8, 9, 10, 11],
  /** Classes that are grown before masking, and count as cloud. */
  cloudClasses: [3, 8, 9, 10],
  maxCloudShare: 0.3,
  leastValidPixels: 12,
  leastGroup: 8,
  leastRobustZ: 3.5,
  /** Makes the median absolute deviation comparable with a standard deviation. */
  madFactor: 1.4826,
} as const;
