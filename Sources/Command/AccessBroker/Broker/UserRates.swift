/// Limits the rate of requests of each user, with a bucket that refills over time.
struct UserRates {
  private struct Bucket {
    var used: Double
    var time: ContinuousClock.Instant
  }

  private let burst: Double
  private let perSecond: Double
  private var buckets: [UInt32: Bucket] = [:]

  init(_ limits: BrokerLimits) {
    burst = Double(limits.burstOfUser)
    perSecond = Double(limits.rateOfUser)
  }

  /// Counts a request of a user.
  ///
  /// - Returns: `true` if the request is within the limits.
  mutating func take(_ user: UInt32, at now: ContinuousClock.Instant) -> Bool {
    // Remove users whose buckets are full again, so the number of buckets remains small.
    buckets = buckets.filter { self.used($0.value, at: now) > 0 }
    let used = buckets[user].map { self.used($0, at: now) } ?? 0
    guard used + 1 <= burst else { return false }
    buckets[user] = Bucket(used: used + 1, time: now)
    return true
  }

  private func used(_ bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
    let parts = (now - bucket.time).components
    let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    return max(0, bucket.used - max(0, seconds) * perSecond)
  }
}
