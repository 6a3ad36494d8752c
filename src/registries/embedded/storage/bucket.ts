/** How to reach one bucket, and what clients are given for it. Keys are in clear text here: never shown, never logged. */
export interface Bucket {
  readonly name: string;
  readonly region: string;
  readonly endpoint?: string;
  readonly keys?: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
  readonly role?: {
    readonly arn: string;
    readonly externalId?: string;
    readonly sessionSecs: number;
    readonly stsEndpoint?: string;
  };
}
