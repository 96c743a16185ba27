import CaseGenerator
import Testing

/// Whether the running kernel can be asked here, found out once.
enum Kernel {
  /// Why not, or `nil`.
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
  /// Skips, with the reason, where the running kernel cannot be asked.
  static var requiresKernelOracle: Self {
    .enabled(
      if: Kernel.refusal == nil,
      Comment(rawValue: "the kernel cannot be asked: \(Kernel.refusal ?? "")"))
  }
}
