#if UMockdev
  public import Testing

  extension Trait where Self == ConditionTrait {
    /// Skips a test if fake hardware is not available, and reports the reason.
    public static var requiresUMockdev: Self {
      .enabled(
        if: UMockdevTestbed.isAvailable,
        "the tests have to be run with `umockdev-wrapper swift test`, and the package with its trait UMockdev"
      )
    }
  }
#endif
