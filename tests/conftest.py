"""Settings for all tests: how long hypothesis looks, and never at the clock."""

from hypothesis import HealthCheck, settings

COMMON = settings(
    deadline=None,  # a slow machine is no fault of the code
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("coursekit", COMMON, max_examples=40)
settings.register_profile("gate", COMMON, max_examples=1000)
settings.load_profile("coursekit")
