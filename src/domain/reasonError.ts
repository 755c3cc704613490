/** A failure whose reason is one of a union. Its message is for the log; what a person reads is chosen by the reason. */
export abstract class ReasonError<Reason extends { readonly kind: string }> extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
