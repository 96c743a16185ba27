/// The rules of a feature and of all its parts, without their effects.
public struct FeatureBlueprint<B: Blueprint>: Blueprint {
  /// That of the feature.
  public typealias Design = B.Design
  /// That of the feature.
  public typealias Change = B.Change

  let feature: Feature<B>

  /// Applies a change; one of a part that is not there leaves the design as it is.
  public func change(_ design: inout B.Design, on change: B.Change) {
    _ = feature.content.rules(&design, change)
  }
}
