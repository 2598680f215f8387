"""Right answers: the starters with the reference's functions put in."""

from functools import cache

from coursekit.check.course import Course
from coursekit.check.source_text import function_source, splice_function


@cache
def right_answer(course: Course, module: str) -> bytes:
    """The source of a module of answers that is right, as a learner would have it."""
    answer = (course.starters / module).read_bytes()
    reference = course.reference_source(module).read_bytes()
    for lab in course.exercises:
        if lab.module == module:
            function = function_source(reference, lab.function, module)
            answer = splice_function(answer, lab.function, function, module)
    return answer
