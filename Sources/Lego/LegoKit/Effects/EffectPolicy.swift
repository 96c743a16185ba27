/// A rule for an effect if others of the same ID are running.
public struct EffectPolicy: Sendable, Hashable {
  /// A rule for an effect if the limit has been reached.
  public enum Overflow: Sendable, Hashable {
    /// It waits until another effect ends, behind those that are waiting already.
    ///
    /// An effect that is part of another effect with the same ID waits for that one, so it waits
    /// until it is cancelled.
    case suspend
    /// It is dropped.
    case discard
  }

  enum Kind: Sendable, Hashable {
    case all
    case newest(Int)
    case oldest(Overflow, Int)
    /// Like `oldest`, with one waiting place, which the last effect takes.
    case latest
    /// It runs if an effect with another ID is running, and is dropped otherwise.
    case companion(of: EffectID)
  }

  let kind: Kind

  /// All of them run.
  public static let all = EffectPolicy(kind: .all)

  /// The newest effects run.
  ///
  /// If there are too many, the oldest is cancelled.
  ///
  /// - Parameter limit: The number of effects that may run at a time, at least one.
  /// - Returns: The policy.
  public static func runNewest(limit: Int = 1) -> EffectPolicy {
    EffectPolicy(kind: .newest(max(1, limit)))
  }

  /// The oldest effects run.
  ///
  /// If there are too many, the new one waits or is dropped.
  ///
  /// - Parameters:
  ///   - overflow: The rule for the new effect.
  ///   - limit: The number of effects that may run at a time, at least one.
  /// - Returns: The policy.
  public static func runOldest(_ overflow: Overflow, limit: Int = 1) -> EffectPolicy {
    EffectPolicy(kind: .oldest(overflow, max(1, limit)))
  }
}
