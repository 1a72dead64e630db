/* Shorter ways for what mypyc leaves to Python's library, although in our code it comes out the same nearly every time.
 * Every compiled module of ours is compiled with this before it. What it says of a game is what Python would say; where
 * a short way does not lead there (another compiler, another Python, another type), the usual one is taken.
 */
#include "CPy.h"

#if defined(__GNUC__) && PY_VERSION_HEX < 0x030D0000 && !defined(Py_GIL_DISABLED)

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* Python 3.12 warns of the numbers of dicts */

/* -- names and fields --
 *
 * Frames, moves and rules are structs of msgspec: their fields lie at fixed offsets, and mypyc looks for each by its
 * name. So it does for what comes from another module (`fr.Turn`, `Move`). As the interpreter does since 3.11, each
 * place in the code remembers what it found there, with the number that Python gives to a type or a dict and never
 * gives again: whoever changes it takes the number away. */

typedef struct {
    unsigned int type; /* the number of a type, and where its field lies */
    Py_ssize_t offset;
    uint64_t dict; /* or the number of a dict, and what it holds under the name */
    PyObject *value;
    PyObject *name;
    PyObject *module; /* the dict is that of this module */
    int many;         /* many names are looked up here: none is remembered */
} Place;

#define NOWHERE {(unsigned int)-1, 0, 0, NULL, NULL, NULL, 0}
#define NUMBER_OF(dict) (((PyDictObject *)(dict))->ma_version_tag)

static inline PyObject *held(PyObject *dict, PyObject *name, Place *p) {
    return likely(NUMBER_OF(dict) == p->dict && p->name == name) ? Py_NewRef(p->value) : NULL;
}

static inline void keep_name(Place *p, PyObject *name) {
    Py_INCREF(name);
    Py_XSETREF(p->name, name);
}

static inline void keep(PyObject *dict, PyObject *name, PyObject *value, Place *p) {
    p->dict = NUMBER_OF(dict);
    p->value = value;
    keep_name(p, name);
}

static __attribute__((noinline, unused)) PyObject *find_item(PyObject *dict, PyObject *name, Place *p) {
    PyObject *value = CPyDict_GetItem(dict, name);
    if (value != NULL && !p->many && PyDict_CheckExact(dict) && PyUnicode_CheckExact(name)) {
        p->many = p->name != NULL && p->name != name;
        keep(dict, name, value, p);
    }
    return value;
}

static __attribute__((noinline, unused)) PyObject *find_in_module(PyObject *module, PyObject *name, Place *p) {
    PyObject *dict = PyModule_GetDict(module), *value = held(dict, name, p);
    if (value == NULL) {
        value = PyObject_GetAttr(module, name);
        if (value != NULL && PyDict_GetItem(dict, name) == value && _PyType_Lookup(&PyModule_Type, name) == NULL) {
            keep(dict, name, value, p);
            Py_INCREF(module);
            Py_XSETREF(p->module, module);
        }
    }
    return value;
}

/* Where the field of this name lies in what is of this type; -1: it is no field of its own, but worked out. */
static inline Py_ssize_t offset_of(PyTypeObject *type, PyObject *name) {
    PyObject *found = type->tp_getattro == PyObject_GenericGetAttr ? _PyType_Lookup(type, name) : NULL;
    if (found == NULL || !Py_IS_TYPE(found, &PyMemberDescr_Type) || !PyType_IsSubtype(type, PyDescr_TYPE(found)) ||
        !PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG) || type->tp_version_tag == 0) {
        return -1;
    }
    PyMemberDef *field = ((PyMemberDescrObject *)found)->d_member;
    return field->type == T_OBJECT_EX && field->flags == 0 ? field->offset : -1;
}

static inline PyObject *at(PyObject *o, PyObject *name, Py_ssize_t offset) {
    PyObject *value = *(PyObject **)((char *)o + offset);
    return likely(value != NULL) ? Py_NewRef(value) : PyObject_GetAttr(o, name);
}

static __attribute__((noinline, unused)) PyObject *find_field(PyObject *o, PyObject *name, Place *p) {
    PyTypeObject *type = Py_TYPE(o);
    if (type == &PyModule_Type) {
        return find_in_module(o, name, p);
    }
    Py_ssize_t offset = p->offset >= 0 ? offset_of(type, name) : -1;
    if (offset < 0) {
        p->offset = -1; /* nor will it be the next time */
        p->type = (unsigned int)-1;
        return PyObject_GetAttr(o, name);
    }
    p->type = type->tp_version_tag;
    p->offset = offset;
    keep_name(p, name);
    return at(o, name, offset);
}

static inline PyObject *field_of(PyObject *o, PyObject *name, Place *p) {
    if (likely(Py_TYPE(o)->tp_version_tag == p->type && p->name == name)) {
        return at(o, name, p->offset);
    }
    if (p->module == o) {
        PyObject *value = held(PyModule_GetDict(o), name, p);
        if (likely(value != NULL)) {
            return value;
        }
    }
    return find_field(o, name, p);
}

static inline PyObject *item_of(PyObject *dict, PyObject *name, Place *p) {
    PyObject *value = held(dict, name, p);
    return likely(value != NULL) ? value : find_item(dict, name, p);
}

#undef CPyObject_GetAttr
#define CPyObject_GetAttr(o, name) ({ static Place place = NOWHERE; field_of((o), (name), &place); })
#define CPyDict_GetItem(dict, key) ({ static Place place = NOWHERE; item_of((dict), (key), &place); })

/* -- numbers --
 *
 * Cards are numbers, and Python has those up to 256 ready. With all packs in one deck there are many more, and whom a
 * move is aimed at is below -5: those were made anew whenever one was handed to a list or a move. */

enum { LOWEST = -64, NUMBERS = 8192 };
__attribute__((weak)) PyObject *kickdoor_numbers[NUMBERS]; /* one of it for all modules */

static inline PyObject *boxed(CPyTagged x) {
    size_t at = (size_t)(CPyTagged_ShortAsSsize_t(x) - LOWEST);
    if (unlikely((x & 1) || at >= NUMBERS)) {
        return CPyTagged_StealAsObject(x);
    }
    PyObject *number = kickdoor_numbers[at];
    if (unlikely(number == NULL)) {
        number = kickdoor_numbers[at] = CPyTagged_StealAsObject(x);
    }
    return Py_NewRef(number);
}

#define CPyTagged_StealAsObject(x) boxed(x)

/* -- is it in there? --
 *
 * Zones are lists of numbers: they are compared as numbers, without asking each of them how it compares. */

#if PY_VERSION_HEX < 0x030C0000
#define IS_SHORT(o) (Py_SIZE(o) >= -1 && Py_SIZE(o) <= 1)
#define SHORT_OF(o) (Py_SIZE(o) * (Py_ssize_t)((PyLongObject *)(o))->ob_digit[0])
#else
#define IS_SHORT(o) PyUnstable_Long_IsCompact((PyLongObject *)(o))
#define SHORT_OF(o) PyUnstable_Long_CompactValue((PyLongObject *)(o))
#endif

static __attribute__((unused)) int is_in(PyObject *zone, PyObject *o) {
    if (PyLong_CheckExact(o) && IS_SHORT(o) && (PyList_CheckExact(zone) || PyTuple_CheckExact(zone))) {
        PyObject **found = PySequence_Fast_ITEMS(zone), **end = found + Py_SIZE(zone);
        Py_ssize_t wanted = SHORT_OF(o);
        for (; found < end; found++) {
            if (*found == o) {
                return 1;
            }
            if (unlikely(!PyLong_CheckExact(*found))) {
                return PySequence_Contains(zone, o);
            }
            if (IS_SHORT(*found) && SHORT_OF(*found) == wanted) {
                return 1;
            }
        }
        return 0;
    }
    return PySequence_Contains(zone, o);
}

#define PySequence_Contains(zone, o) is_in((zone), (o))

/* -- lists, dicts, words --
 *
 * What is nearly always the case is asked on the spot: an index that is within a list, room for one more at its end, a
 * dict with nothing in it, a word that is the very same or has another length. */

static inline PyObject *item_borrowed(PyObject *list, CPyTagged index) {
    size_t at = (size_t)CPyTagged_ShortAsSsize_t(index);
    return likely(!(index & 1) && at < (size_t)PyList_GET_SIZE(list)) ? PyList_GET_ITEM(list, at)
                                                                    : CPyList_GetItemBorrow(list, index);
}

static inline PyObject *item_at(PyObject *list, CPyTagged index) {
    size_t at = (size_t)CPyTagged_ShortAsSsize_t(index);
    return likely(!(index & 1) && at < (size_t)PyList_GET_SIZE(list)) ? Py_NewRef(PyList_GET_ITEM(list, at))
                                                                    : CPyList_GetItem(list, index);
}

static inline int appended(PyObject *o, PyObject *value) {
    PyListObject *list = (PyListObject *)o;
    Py_ssize_t size = Py_SIZE(o);
    if (likely(PyList_Check(o) && value != NULL && size < list->allocated)) {
        list->ob_item[size] = Py_NewRef(value);
        Py_SET_SIZE(list, size + 1);
        return 0;
    }
    return PyList_Append(o, value);
}

static inline PyObject *got(PyObject *dict, PyObject *key, PyObject *fallback) {
    return PyDict_CheckExact(dict) && PyDict_GET_SIZE(dict) == 0 && (PyUnicode_CheckExact(key) || PyLong_CheckExact(key))
               ? Py_NewRef(fallback)
               : CPyDict_Get(dict, key, fallback);
}

/* An empty list under a key where there is nothing: without an exception that says so and is thrown away. */
static __attribute__((unused)) PyObject *set_default(PyObject *dict, PyObject *key, int kind) {
    if (kind != 1 || !PyDict_CheckExact(dict)) {
        return CPyDict_SetDefaultWithEmptyDatatype(dict, key, kind);
    }
    PyObject *found = PyDict_GetItemWithError(dict, key);
    if (found != NULL || PyErr_Occurred()) {
        return Py_XNewRef(found);
    }
    PyObject *made = PyList_New(0);
    if (made != NULL && PyDict_SetItem(dict, key, made) < 0) {
        Py_CLEAR(made);
    }
    return made;
}

static inline int has_key(PyObject *dict, PyObject *key) {
    return PyDict_GET_SIZE(dict) == 0 && PyUnicode_CheckExact(key) ? 0 : PyDict_Contains(dict, key);
}

static inline char is_word(PyObject *word, PyObject *literal, Py_ssize_t length) {
    return word == literal ||
           (PyUnicode_GET_LENGTH(word) == length && CPyStr_EqualLiteral(word, literal, length));
}

#define CPyList_GetItemBorrow(list, index) item_borrowed((list), (index))
#define CPyList_GetItem(list, index) item_at((list), (index))
#define PyList_Append(list, value) appended((list), (value))
#define CPyDict_Get(dict, key, fallback) got((dict), (key), (fallback))
#define CPyDict_GetWithNone(dict, key) got((dict), (key), Py_None)
#define CPyDict_SetDefaultWithEmptyDatatype(dict, key, kind) set_default((dict), (key), (kind))
#define PyDict_Contains(dict, key) has_key((dict), (key))
#define CPyStr_EqualLiteral(word, literal, length) is_word((word), (literal), (length))

/* -- a dict that is written out --
 *
 * What a view is made of: the same keys in the same order, every time that this place is come by. So a dict with these
 * keys is kept there, the next one is a copy of it, and its values are put in where the keys are, which are not looked
 * for again. Keys that are no words, stand there twice or differ from those before are the usual way's. Dicts lie so in
 * Python 3.11, for which this was tried. */

#if PY_VERSION_HEX < 0x030C0000

#ifndef Py_BUILD_CORE
#define Py_BUILD_CORE
#include "internal/pycore_dict.h"
#undef Py_BUILD_CORE
#else
#include "internal/pycore_dict.h"
#endif

typedef struct {
    PyObject *dict; /* the keys, with nothing under them; NULL: not tried yet */
    int odd;        /* it does not work here */
} Shape;

static void find_shape(Shape *shape, Py_ssize_t size, va_list args) {
    PyObject *dict = PyDict_New();
    shape->odd = 1;
    for (Py_ssize_t i = 0; dict != NULL && i < size; i++) {
        PyObject *key = va_arg(args, PyObject *);
        (void)va_arg(args, PyObject *);
        if (!PyUnicode_CheckExact(key) || PyDict_SetItem(dict, key, Py_None) < 0) {
            Py_CLEAR(dict);
        }
    }
    if (dict == NULL) {
        PyErr_Clear();
        return;
    }
    PyDictObject *d = (PyDictObject *)dict;
    if (d->ma_values == NULL && d->ma_used == size && d->ma_keys->dk_nentries == size && DK_IS_UNICODE(d->ma_keys)) {
        shape->dict = dict;
        shape->odd = 0;
    } else {
        Py_DECREF(dict);
    }
}

static __attribute__((noinline, unused)) PyObject *built(Shape *shape, Py_ssize_t size, ...) {
    va_list args;
    PyObject *dict;
    Py_ssize_t i = 0;
    if (shape->dict == NULL && !shape->odd) {
        va_start(args, size);
        find_shape(shape, size, args);
        va_end(args);
    }
    if (likely(!shape->odd)) {
        dict = PyDict_Copy(shape->dict);
        if (dict == NULL) {
            return NULL;
        }
        PyDictKeysObject *keys = ((PyDictObject *)dict)->ma_keys;
        if (likely(DK_IS_UNICODE(keys) && keys->dk_nentries == size)) {
            PyDictUnicodeEntry *entry = DK_UNICODE_ENTRIES(keys);
            int holds = 0; /* something that the collector has to look at */
            va_start(args, size);
            for (; i < size && va_arg(args, PyObject *) == entry[i].me_key; i++) {
                PyObject *nothing = entry[i].me_value, *value = va_arg(args, PyObject *);
                entry[i].me_value = Py_NewRef(value);
                Py_DECREF(nothing);
                holds |= PyType_IS_GC(Py_TYPE(value));
            }
            va_end(args);
            if (holds && !PyObject_GC_IsTracked(dict)) {
                PyObject_GC_Track(dict);
            }
        }
        if (likely(i == size)) {
            return dict;
        }
        shape->odd = 1;
        Py_DECREF(dict);
    }
    dict = PyDict_New();
    va_start(args, size);
    for (i = 0; dict != NULL && i < size; i++) {
        PyObject *key = va_arg(args, PyObject *);
        if (PyDict_SetItem(dict, key, va_arg(args, PyObject *)) < 0) {
            Py_CLEAR(dict);
        }
    }
    va_end(args);
    return dict;
}

#define CPyDict_Build(...) ({ static Shape shape = {NULL, 0}; built(&shape, __VA_ARGS__); })

#endif

/* -- is there anything? -- */

static inline int is_there(PyObject *o) {
    if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
        return Py_SIZE(o) != 0;
    }
    return PyObject_IsTrue(o);
}

#define PyObject_IsTrue(o) is_there(o)

#endif
