/// What is under way of a build.
struct EffectRoot: Sendable {
  /// The numbers of its effects, those that wait included.
  var effects = NumberSet()
  /// How many effects have ended while what follows them has not started yet.
  ///
  /// In between nothing of the build may be under way although it is not over.
  var holds = 0
  var isCancelled = false

  var isOver: Bool { effects.isEmpty && holds == 0 }
}
