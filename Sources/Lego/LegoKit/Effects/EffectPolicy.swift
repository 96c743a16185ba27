/// A rule that limits how many effects with the same ID run at a time.
public struct EffectPolicy: Sendable, Hashable {
  /// The way to handle a new effect when the limit has been reached.
  public enum Overflow: Sendable, Hashable {
    /// The new effect waits until a running effect ends, behind any effects that are already
    /// waiting.
    ///
    /// If the new effect is nested in an effect with the same ID, the outer effect counts as well.
    /// With a limit of 1, each of the two waits for the other to end, until they are cancelled.
    case suspend
    /// The new effect is dropped.
    case discard
  }

  enum Kind: Sendable, Hashable {
    case all
    case newest(Int)
    case oldest(Overflow, Int)
    /// If an effect is running, the new effect waits, and replaces any effect that was already
    /// waiting.
    case latest
    /// The effect runs if an effect with the other ID exists, and is dropped otherwise.
    case companion(of: EffectID)
  }

  let kind: Kind

  /// A policy without a limit.
  public static let all = EffectPolicy(kind: .all)

  /// Returns a policy that cancels the oldest effect when a new one exceeds the limit.
  ///
  /// - Parameter limit: The maximum number of effects that may run at a time. A number below 1 is
  ///   treated as 1.
  /// - Returns: The policy.
  public static func runNewest(limit: Int = 1) -> EffectPolicy {
    EffectPolicy(kind: .newest(max(1, limit)))
  }

  /// Returns a policy that makes a new effect wait, or drops it, if it would exceed the limit.
  ///
  /// - Parameters:
  ///   - overflow: The way to handle the new effect.
  ///   - limit: The maximum number of effects that may run at a time. A number below 1 is treated
  ///     as 1.
  /// - Returns: The policy.
  public static func runOldest(_ overflow: Overflow, limit: Int = 1) -> EffectPolicy {
    EffectPolicy(kind: .oldest(overflow, max(1, limit)))
  }
}
