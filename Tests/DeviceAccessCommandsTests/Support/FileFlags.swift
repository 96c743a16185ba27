import Testing

private let hasFileFlags =
  (try? Product.run(
    "file=$(mktemp) && chattr +i $file && chattr -i $file; status=$?; rm -f $file; exit $status"))?
  .status == 0

extension Trait where Self == ConditionTrait {
  /// Skips a test of the flags of chattr(1), which not every filesystem supports.
  static var requiresFileFlags: Self {
    .enabled(if: hasFileFlags, "files in the temporary directory have no flags")
  }
}
