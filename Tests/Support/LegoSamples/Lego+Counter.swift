package import LegoKit

// The compiler specializes the generic store if it knows the blueprint and optimizes. This target
// is optimized in debug builds as well, so tests can build millions of changes. A store of counters
// performs as in a release build. Stores of other blueprints, and effects that are defined in other
// targets, perform as in a debug build.
extension Lego<Counter> {
  /// Applies a change.
  @discardableResult package func build(_ change: Counter.Change) -> Build {
    anyBuild(change, in: self)
  }

  /// The current design.
  package var design: Counter.Design { anyDesign(of: self) }
}

// In a generic context, these calls refer to the store's own members, not to the ones above.
private func anyBuild<B: Blueprint>(_ change: B.Change, in lego: Lego<B>) -> Build {
  lego.build(change)
}

private func anyDesign<B: Blueprint>(of lego: Lego<B>) -> B.Design { lego.design }
