internal import Foundation

/// Returns the number of rounds of a race between threads.
///
/// The environment variable `LEGO_RACE_ROUNDS` raises it.
///
/// - Parameter usual: The number of rounds without the variable, which takes at most a few seconds.
/// - Returns: The larger of the two numbers.
package func raceRounds(_ usual: Int) -> Int {
  max(usual, ProcessInfo.processInfo.environment["LEGO_RACE_ROUNDS"].flatMap { Int($0) } ?? 0)
}
