package import LegoKit

// A store is generic, and the compiler makes it fast where it knows the blueprint and optimises.
// This target is optimised in debug builds too, so that tests may build by the million: a store of
// counters is what a program in release mode has. Stores of other blueprints, and what they send
// from elsewhere, run as debug builds have them.
extension Lego<Counter> {
  /// Applies a change.
  @discardableResult package func build(_ change: Counter.Change) -> Build {
    anyBuild(change, in: self)
  }

  /// The design as the last change left it.
  package var design: Counter.Design { anyDesign(of: self) }
}

// Where the blueprint is any, the store's own members are meant, and not those above.
private func anyBuild<B: Blueprint>(_ change: B.Change, in lego: Lego<B>) -> Build {
  lego.build(change)
}

private func anyDesign<B: Blueprint>(of lego: Lego<B>) -> B.Design { lego.design }
