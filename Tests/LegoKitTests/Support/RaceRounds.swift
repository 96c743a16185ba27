import Glibc

/// How many rounds a race has: what `LEGO_RACE_ROUNDS` says, to run many by hand, or else a number
/// that is soon over.
func raceRounds(_ usual: Int) -> Int {
  guard let text = unsafe getenv("LEGO_RACE_ROUNDS") else { return usual }
  return Int(unsafe String(cString: text)) ?? usual
}
