import Glibc
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test that changes credentials or mounts.
  static var requiresRoot: Self {
    .enabled(if: geteuid() == 0, "it changes credentials or mounts, which takes root")
  }
}
