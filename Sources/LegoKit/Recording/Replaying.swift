/// Whether this task goes through a recorded run, which must not reach anything outside it.
enum Replaying {
  @TaskLocal static var isUnderWay = false
}
