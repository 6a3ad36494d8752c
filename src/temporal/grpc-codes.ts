/** Status codes of gRPC that tell us something. */
export const grpcCodes = {
  notFound: 5,
  permissionDenied: 7,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
} as const;
