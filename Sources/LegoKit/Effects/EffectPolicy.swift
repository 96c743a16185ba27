/// What happens to an effect when others of the same id are under way.
public struct EffectPolicy: Sendable, Hashable {
  /// What happens to an effect that there is no room for.
  public enum Overflow: Sendable, Hashable {
    /// It waits until there is room, behind those that wait already. A part of an effect that bears
    /// the id of the whole waits for the whole, and so until it is cancelled.
    case suspend
    /// It is dropped.
    case discard
  }

  enum Kind: Sendable, Hashable {
    case all
    case newest(Int)
    case oldest(Overflow, Int)
    /// As `oldest`, with one waiting place, which the last comer gets.
    case latest
    /// It runs if an effect with another id is under way, and is dropped if none is.
    case companion(of: EffectID)
  }

  let kind: Kind

  /// All of them run.
  public static let all = EffectPolicy(kind: .all)

  /// The newest run: one too many cancels the oldest.
  ///
  /// - Parameter limit: How many may run at a time; less than one counts as one.
  /// - Returns: The policy.
  public static func runNewest(limit: Int = 1) -> EffectPolicy {
    EffectPolicy(kind: .newest(max(1, limit)))
  }

  /// The oldest run: one too many waits or is dropped.
  ///
  /// - Parameters:
  ///   - overflow: What happens to one too many.
  ///   - limit: How many may run at a time; less than one counts as one.
  /// - Returns: The policy.
  public static func runOldest(_ overflow: Overflow, limit: Int = 1) -> EffectPolicy {
    EffectPolicy(kind: .oldest(overflow, max(1, limit)))
  }
}
