import CaseGenerator
import Testing

/// The result of checking once whether the running kernel can be queried.
enum Kernel {
  /// The reason why the kernel cannot be queried; `nil` if it can.
  static let refusal: String? = {
    do throws(OracleError) {
      _ = try KernelOracle()
      return nil
    } catch {
      return error.reason
    }
  }()
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, with the reason, if the running kernel cannot be queried.
  static var requiresKernelOracle: Self {
    .enabled(
      if: Kernel.refusal == nil,
      Comment(rawValue: "the kernel cannot be asked: \(Kernel.refusal ?? "")"))
  }
}
